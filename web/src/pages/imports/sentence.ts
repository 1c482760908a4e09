/** Formats a message of the service as a sentence, with a capital and a full stop. */
export const asSentence = (text: string | null): string =>
  text === null ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`
