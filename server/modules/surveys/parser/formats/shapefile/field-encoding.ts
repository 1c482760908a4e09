import { isUtf8 } from 'node:buffer'
import { isDosPage } from '../text/dos-pages.ts'

/**
 * The encoding of the fields of a Shapefile, by its name in the WHATWG Encoding standard, or `ibm850` and such.
 * `unsupported` is a code page that the file names and that cannot be read.
 */
export type FieldEncoding = { label: string; isAssumed: boolean; unsupported?: number | undefined }

/** Bytes of a DBF header: the length of the header, and the language driver. */
const HEADER_LENGTH = 8
const LANGUAGE = 29

/** Language drivers and their code pages (ArcPad Reference, "Language driver IDs"). 0x57 is that of the computer. */
const drivers = new Map<number, number>(
  Object.entries({
    437: [1, 9, 11, 13, 15, 17, 21, 24, 25, 27],
    620: [105],
    737: [106, 134],
    850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55],
    852: [31, 34, 35, 64, 100, 135],
    857: [107, 136],
    860: [36],
    861: [103],
    863: [28, 108],
    865: [8, 23, 102],
    866: [38, 101],
    874: [80, 124],
    895: [104],
    932: [19, 123],
    936: [77, 122],
    949: [78, 121],
    950: [79, 120],
    1250: [200],
    1251: [201],
    1252: [3, 88, 89],
    1253: [203],
    1254: [202],
    1255: [125],
    1256: [126],
    1257: [204],
    10000: [4],
    10007: [150],
    10029: [151],
  }).flatMap(([page, ids]) => ids.map((id) => [id, Number(page)] as const)),
)

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
  const text = cpg && Buffer.from(cpg).toString('latin1', 0, 100).trim()
  const page = text === undefined ? (drivers.get(dbf[LANGUAGE] ?? 0) ?? 0) : pageOf(text)
  const named = (text === undefined ? undefined : labelOf(text)) ?? pageLabel(page)
  if (named !== undefined) return { label: named, isAssumed: false }
  const bytes = Buffer.from(dbf.buffer, dbf.byteOffset, dbf.length)
  const records = bytes.subarray(bytes.length < 32 ? 0 : bytes.readUInt16LE(HEADER_LENGTH))
  if (isUtf8(records)) return { label: 'utf-8', isAssumed: false }
  return { label: 'windows-1252', isAssumed: true, unsupported: page || undefined }
}

function labelOf(name: string): string | undefined {
  const latin = /^(?:ISO[ _-]?)?8859[ _-]?(\d{1,2})$/i.exec(name)?.[1]
  return known(latin ? `iso-8859-${latin}` : name)
}

const pageOf = (name: string): number =>
  Number(/^(?:ansi|oem|cp|ibm|windows|ms)?[ _-]?(\d{3,5})$/i.exec(name)?.[1] ?? 0)

const pageLabel = (page: number): string | undefined =>
  isDosPage(`ibm${page}`) ? `ibm${page}` : (names[page] ?? known(`windows-${page}`))

function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
