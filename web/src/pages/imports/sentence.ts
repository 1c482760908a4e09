/** What the service says of a file, to stand for itself: with a capital and a full stop. */
export const asSentence = (said: string | null): string =>
  said === null ? '' : `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? '' : '.'}`
