import { fileTypeFromBuffer } from 'file-type'
import { isBinaryStl, isObj, isPly, isTextStl } from './mesh-types.ts'

/** How a file type is named and served. */
export type FileType = {
  mimeType: string
  /** Extension of the object's key, from which the type is derived when it is served. */
  extension: string
  /** Whether a browser may show it inline: only types that cannot carry a script. */
  inline: boolean
}

const shown = (mimeType: string, extension: string): FileType => ({ mimeType, extension, inline: true })
const kept = (mimeType: string, extension: string): FileType => ({ mimeType, extension, inline: false })

export const GLB = shown('model/gltf-binary', 'glb')
export const USDZ = shown('model/vnd.usdz+zip', 'usdz')
export const PLY = kept('model/ply', 'ply')
export const OBJ = kept('model/obj', 'obj')
export const STL = kept('model/stl', 'stl')
/** A saved ARKit world (an NSKeyedArchiver archive), or a file that another AR framework calls one. */
const AR_WORLD = kept('application/octet-stream', 'arworld')
export const OTHER = kept('application/octet-stream', 'bin')

/** Types not in this list are stored as plain bytes and served only as downloads. */
const KNOWN: readonly FileType[] = [
  shown('image/jpeg', 'jpg'),
  shown('image/png', 'png'),
  shown('image/apng', 'apng'),
  shown('image/gif', 'gif'),
  shown('image/webp', 'webp'),
  shown('image/avif', 'avif'),
  shown('image/heic', 'heic'),
  shown('image/heif', 'heif'),
  shown('image/jxl', 'jxl'),
  kept('image/tiff', 'tiff'),
  kept('image/ktx', 'ktx'),
  shown('video/mp4', 'mp4'),
  shown('video/x-m4v', 'm4v'),
  shown('video/quicktime', 'mov'),
  shown('video/webm', 'webm'),
  shown('video/ogg', 'ogv'),
  kept('video/matroska', 'mkv'),
  kept('video/mpeg', 'mpg'),
  kept('video/3gpp', '3gp'),
  shown('audio/mpeg', 'mp3'),
  shown('audio/mp4', 'm4a'),
  shown('audio/wav', 'wav'),
  shown('audio/ogg', 'ogg'),
  shown('audio/flac', 'flac'),
  shown('audio/aac', 'aac'),
  GLB,
  USDZ,
  PLY,
  OBJ,
  STL,
  kept('application/pdf', 'pdf'),
  kept('application/zip', 'zip'),
  kept('application/vnd.android.package-archive', 'apk'),
  AR_WORLD,
  OTHER,
]
const AR_WORLD_NAME = /\.(arworld|worldmap|arexperience)$/i
const byMimeType = new Map(KNOWN.map((type) => [type.mimeType, type]))
const byExtension = new Map(KNOWN.map((type) => [type.extension, type]))

/** Other names of listed types. */
const ALIASES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/vnd.mozilla.apng': 'image/apng',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-aac': 'audio/aac',
  'video/x-matroska': 'video/matroska',
  'model/vnd.usdz': 'model/vnd.usdz+zip',
  'application/ply': 'model/ply',
  'application/x-ply': 'model/ply',
  'application/sla': 'model/stl',
  'application/vnd.ms-pki.stl': 'model/stl',
  'application/x-zip-compressed': 'application/zip',
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heif',
  'video/3gpp2': 'video/3gpp',
}

/** Bytes that `detectType` needs, unless the file is shorter. */
export const PEEK_BYTES = 4100

/**
 * Detects the type from the first bytes. The name counts only for AR World files and binary STL, whose formats have no
 * signature (some apps pack AR World files), and only if the bytes are of no type that is shown or converted.
 */
export async function detectType(head: Buffer, fileName: string): Promise<FileType> {
  // Any version: the converter reports which it supports.
  if (head.subarray(0, 4).toString('latin1') === 'glTF') return GLB
  if (isUsdz(head)) return USDZ
  if (isKeyedArchive(head)) return AR_WORLD
  const isCut = head.length >= PEEK_BYTES
  if (isPly(head)) return PLY
  if (isTextStl(head)) return STL
  if (isObj(head, isCut)) return OBJ
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  // Any text that begins with "solid" is an STL to the library.
  const known = found && found.mime !== STL.mimeType ? byMimeType.get(ALIASES[found.mime] ?? found.mime) : undefined
  if ((!known || known === OTHER) && isBinaryStl(head, isCut, fileName)) return STL
  const isPacked = !known || known === OTHER || known.mimeType === 'application/zip'
  if (isPacked && AR_WORLD_NAME.test(fileName)) return AR_WORLD
  return known ?? OTHER
}

/** The type of a stored object, by the extension of its key. */
export const typeOfKey = (key: string): FileType => byExtension.get(key.slice(key.lastIndexOf('.') + 1)) ?? OTHER

/** The listed type for a media type, ignoring its parameters. */
export function typeNamed(contentType: string): FileType | undefined {
  const name = contentType.split(';')[0]!.trim().toLowerCase()
  return byMimeType.get(ALIASES[name] ?? name)
}

/** The type for a file name. */
export const typeOfName = (fileName: string): FileType =>
  AR_WORLD_NAME.test(fileName)
    ? AR_WORLD
    : (byExtension.get(
        /\.([a-z0-9]+)$/i
          .exec(fileName)?.[1]
          ?.toLowerCase()
          .replace(/^jpeg$/, 'jpg') ?? '',
      ) ?? OTHER)

/** `GLB`, `PNG`, …: the name of a file's type in the interface. */
export const typeName = (key: string): string => {
  const type = typeOfKey(key)
  return type === OTHER ? 'OTHER' : type === AR_WORLD ? 'AR_WORLD' : type.extension.toUpperCase()
}

/**
 * A USDZ is a ZIP whose first entry is an uncompressed layer (ZIP local file header: method at 8, name length at 26,
 * name at 30).
 */
function isUsdz(head: Buffer): boolean {
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50 || head.readUInt16LE(8) !== 0) return false
  const name = head.subarray(30, 30 + head.readUInt16LE(26)).toString('latin1')
  return /\.usd[ac]?$/i.test(name)
}

/** A property list, binary or XML, whose top dictionary has the key that NSKeyedArchiver writes. */
function isKeyedArchive(head: Buffer): boolean {
  const start = head.subarray(0, 512)
  return (start.toString('latin1', 0, 8) === 'bplist00' || start.includes('<plist')) && start.includes('$archiver')
}
