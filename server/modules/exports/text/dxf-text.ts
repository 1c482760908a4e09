/** The most characters of a text in a drawing of R12. */
export const MAX_TEXT = 255

/**
 * A text as drawings have it: control characters as `^J`, a caret as `^ `, what is not in ASCII as `\U+00E4`. So is the
 * second of two percent signs, which would begin a sign of their own (`%%d` is a degree), and a backslash before `U+`.
 */
export const dxfText = (text: string): string =>
  text
    .replace(/\\(?=U\+)/gi, '\\U+005C')
    .replace(/(?<=%)%/g, '\\U+0025')
    .replaceAll('^', '^ ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is written otherwise.
    .replace(/[\u0000-\u001f]/g, (sign) => `^${String.fromCharCode(sign.charCodeAt(0) + 64)}`)
    .replace(/[\u007f-\uffff]/g, (sign) => `\\U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
