/** Said of a prompt that nothing in the file answers. */
export const NO_ANSWER_RECORDED = 'No answer was recorded: the request failed or the CLI was stopped'
