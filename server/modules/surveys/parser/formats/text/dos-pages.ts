/**
 * The characters of bytes 128 to 255 in code pages of DOS that the WHATWG Encoding standard has no name for (Unicode
 * Consortium, "CP437.TXT" and others).
 */
const upper: Record<string, string> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
}

/** The decoder of a code page, by its name in the standard or as `ibm850`. */
export function codePageDecoder(label: string): (bytes: Uint8Array) => string {
  const high = upper[label]
  const decoder = high === undefined ? new TextDecoder(label) : undefined
  return (bytes) =>
    decoder?.decode(bytes) ??
    Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : high![byte - 128]!)).join('')
}

/** Decodes a stream of bytes: a byte of these pages is a character. */
export const streamDecoder = (label: string): { decode: (bytes?: Uint8Array, options?: object) => string } =>
  isDosPage(label) ? { decode: (bytes = new Uint8Array()) => codePageDecoder(label)(bytes) } : new TextDecoder(label)

export const isDosPage = (label: string): boolean => Object.hasOwn(upper, label)
