const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
/** Characters that XML 1.0 cannot represent: control characters, and two noncharacters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes text for XML; characters that XML cannot hold become U+FFFD. */
export const xml = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"\r]/g, (mark) => marks[mark]!)

/** Whether XML can hold a text exactly. */
export const isWritable = (text: string): boolean => text.search(unwritable) < 0
