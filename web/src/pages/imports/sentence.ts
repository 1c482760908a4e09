/** Formats a message of the service as a sentence, with a capital and a full stop. */
export const asSentence = (said: string | null): string =>
  said === null ? '' : `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? '' : '.'}`
