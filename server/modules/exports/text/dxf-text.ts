/** Maximum characters of a text in an R12 drawing. */
export const MAX_TEXT = 255

/**
 * Escapes a text for a drawing: control characters as `^J`, a caret as `^ `, non-ASCII as `\\U+00E4`; also the second of two
 * percent signs, which would begin a code (`%%d` is a degree sign), and a backslash before `U+`.
 */
export const dxfText = (text: string): string =>
  text
    .replace(/\\(?=U\+)/gi, '\\U+005C')
    .replace(/(?<=%)%/g, '\\U+0025')
    .replaceAll('^', '^ ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is written otherwise.
    .replace(/[\u0000-\u001f]/g, (sign) => `^${String.fromCharCode(sign.charCodeAt(0) + 64)}`)
    .replace(/[\u007f-\uffff]/g, (sign) => `\\U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
