import { isUtf8 } from 'node:buffer'

/** The encoding of the fields of a Shapefile, by its name in the WHATWG Encoding standard. */
export type FieldEncoding = { label: string; isAssumed: boolean }

/** Bytes of a DBF header: the length of the header, and the language driver. */
const HEADER_LENGTH = 8
const LANGUAGE = 29

/** Language drivers and their code pages (ArcPad Reference, "Language driver IDs"). 0x57 is that of the computer. */
const drivers: Record<number, number> = {
  3: 1252,
  4: 10000,
  19: 932,
  38: 866,
  77: 936,
  78: 949,
  79: 950,
  88: 1252,
  89: 1252,
  101: 866,
  120: 950,
  121: 949,
  122: 936,
  123: 932,
  124: 874,
  125: 1255,
  126: 1256,
  150: 10007,
  200: 1250,
  201: 1251,
  202: 1254,
  203: 1253,
  204: 1257,
}

/** Code pages whose name in the standard is not `windows-` and their number. */
const names: Record<number, string> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  65001: 'utf-8',
}

/** @param cpg the file beside the DBF that names the encoding, such as `UTF-8`, `1251`, `ANSI 1251` or `ISO 88592` */
export function fieldEncoding(dbf: Uint8Array, cpg: Uint8Array | undefined): FieldEncoding {
  const named = cpg ? labelOf(Buffer.from(cpg).toString('latin1', 0, 100)) : pageLabel(drivers[dbf[LANGUAGE] ?? 0] ?? 0)
  if (named !== undefined) return { label: named, isAssumed: false }
  const bytes = Buffer.from(dbf.buffer, dbf.byteOffset, dbf.length)
  const records = bytes.subarray(bytes.length < 32 ? 0 : bytes.readUInt16LE(HEADER_LENGTH))
  return isUtf8(records) ? { label: 'utf-8', isAssumed: false } : { label: 'windows-1252', isAssumed: true }
}

function labelOf(text: string): string | undefined {
  const name = text.trim()
  const latin = /^(?:ISO[ _-]?)?8859[ _-]?(\d{1,2})$/i.exec(name)?.[1]
  const page = /^(?:ansi|oem|cp|windows|ms)?[ _-]?(\d{3,5})$/i.exec(name)?.[1]
  return known(latin ? `iso-8859-${latin}` : name) ?? pageLabel(Number(page))
}

const pageLabel = (page: number): string | undefined => names[page] ?? known(`windows-${page}`)

function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
