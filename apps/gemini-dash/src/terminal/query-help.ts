/** The query language in short: the same as in the search box of the page. */
export const QUERY_HELP = `QUERY is words, all of them within one message; "a phrase"; -without; one OR another; begin*; (groups); and filters:
  project:webshop     sessions of a project     model:*flash*       sessions with a model
  tool:replace        a call of the tool        status:cancelled    how the call ended
  file:src/*.ts       a path that it touched    has:diff            or image, thoughts
  in:prompt,answer    or thought, tool-args, tool-output, notice, attachment, title
  is:error            a failed call; or superseded, live, subagent
  tokens:>50k         cost:>0.10                session:477739d0
  after:-7d           before:2026-01-31         or yesterday, monday
A comma means one of; a dash before a filter takes away. Quote the whole QUERY for the shell:
  gemini-dash search 'tool:run_shell_command is:error -npm'`
