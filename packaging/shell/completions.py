"""Completions for bash, zsh and fish: commands, their actions, options, and the values of those that have few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from shell.commands import Command, Option

PROGRAM = "trace-inspector"


def bash(commands: Iterable[Command]) -> str:
    """A function for bash: the words of the command that is being typed, else files."""
    every = list(commands)
    cases = "\n".join(_bash_case(every, command) for command in every)
    return f"""# Completion of {PROGRAM} for bash; made from its options, so change those.
_trace_inspector() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="" words="" values=""
  local at
  for ((at = 1; at < COMP_CWORD && at < 3; at++)); do
    case "$command ${{COMP_WORDS[at]}}" in
{_bash_names(every)}
    esac
  done
  case "$command" in
{cases}
  esac
  if [ -n "$values" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [ -n "$words" ] && {{ [ "${{word:0:1}}" = - ] || [ "$COMP_CWORD" -eq 1 ]; }}; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [ "${{word:0:1}}" = - ] || compgen -f -- "$word")
  elif [ -n "$words" ] && [ "$COMP_CWORD" -eq 2 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; compgen -f -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _trace_inspector {PROGRAM}
"""


def zsh(commands: Iterable[Command]) -> str:
    """The same for zsh, with the help of each option."""
    every = list(commands)
    names = "\n".join(f"    {_quoted(f'{_last(one)}:{one.help}')}" for one in _below(every, ""))
    cases = "\n".join(
        f"    {_quoted(command.name)})\n{_zsh_options(every, command)}\n      ;;" for command in every if command.name
    )
    return f"""#compdef {PROGRAM}
# Completion of {PROGRAM} for zsh; made from its options, so change those.
_trace_inspector() {{
  local -a commands
  commands=(
{names}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    _arguments -S {_zsh_specs(every[0].options)} '*:file:_files'
    return
  fi
  local name="$words[2]"
  case "$name $words[3]" in
{_zsh_actions(every)}
  esac
  case "$name" in
{cases}
    *) _files ;;
  esac
}}
_trace_inspector "$@"
"""


def fish(commands: Iterable[Command]) -> str:
    """The same for fish."""
    every = list(commands)
    lines = [f"# Completion of {PROGRAM} for fish; made from its options, so change those."]
    first = " ".join(_last(one) for one in _below(every, ""))
    for command in every:
        parent, _space, _word = command.name.rpartition(" ")
        if command.name and not parent:
            condition = f"not __fish_seen_subcommand_from {first}"
            lines.append(_fish(condition, f"-a {command.name} -d {_quoted(command.help)}"))
        elif parent:
            words = " ".join(_last(one) for one in _below(every, parent))
            condition = f"__fish_seen_subcommand_from {parent}; and not __fish_seen_subcommand_from {words}"
            lines.append(_fish(condition, f"-a {_last(command)} -d {_quoted(command.help)}"))
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.name.split())
        seen = seen or f"not __fish_seen_subcommand_from {first}"
        lines += [_fish(seen, _fish_option(option)) for option in command.options]
    return "\n".join(lines) + "\n"


def _below(commands: Sequence[Command], parent: str) -> list[Command]:
    """The commands whose name has one word more."""
    return [one for one in commands if one.name and one.name.rpartition(" ")[0] == parent]


def _last(command: Command) -> str:
    return command.name.rpartition(" ")[2]


def _bash_names(commands: Sequence[Command]) -> str:
    return "\n".join(
        f"      {_quoted(command.name if ' ' in command.name else f' {command.name}')}) "
        f"command={_quoted(command.name)} ;;"
        for command in commands
        if command.name
    )


def _bash_case(commands: Sequence[Command], command: Command) -> str:
    flags = [flag for option in command.options for flag in option.flags]
    words = [_last(one) for one in _below(commands, command.name)]
    lines = [f"    {_quoted(command.name)})", f"      words={_quoted(' '.join((*words, *flags)))}"]
    chosen = [option for option in command.options if option.choices]
    if chosen:
        lines.append('      case "$before" in')
        values = ((option.flags, _quoted(" ".join(option.choices))) for option in chosen)
        lines += [f"        {'|'.join(flags)}) values={words} ;;" for flags, words in values]
        lines.append("      esac")
    return "\n".join((*lines, "      ;;"))


def _zsh_actions(commands: Sequence[Command]) -> str:
    nested = [one.name for one in commands if " " in one.name]
    return "\n".join((*(f"    {_quoted(name)}) name={_quoted(name)} ;;" for name in nested), "    *) ;;"))


def _zsh_options(commands: Sequence[Command], command: Command) -> str:
    below = [_last(one) for one in _below(commands, command.name)]
    rest = f"'1:action:({' '.join(below)})'" if below else "'*:file:_files'"
    return f"      _arguments -S {_zsh_specs(command.options)} {rest}"


def _zsh_specs(options: Iterable[Option]) -> str:
    return " ".join(spec for option in options for spec in _zsh_spec(option))


def _zsh_spec(option: Option) -> Iterator[str]:
    words = option.help.translate({ord("["): "(", ord("]"): ")", ord(":"): " ", ord("\\"): "/"})
    value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files" if option.value else ""
    for flag in option.flags:
        yield _quoted(f"*{flag}[{words}]{value}")


def _fish(condition: str, rest: str) -> str:
    return f"complete -c {PROGRAM} -n {_quoted(condition)} {rest}"


def _fish_option(option: Option) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r" if option.value else ""
    return f"{flags}{value} -d {_quoted(option.help)}"


def _quoted(words: str) -> str:
    """For a shell: nothing in it is expanded."""
    return "'" + words.replace("'", "’") + "'"
