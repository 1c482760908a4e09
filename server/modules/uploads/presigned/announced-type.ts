import { detectType, type FileType, OTHER, typeNamed, typeOfName } from '../../../platform/storage/types/file-types.ts'

/**
 * The type that an announced file will be served as: octet-stream, unless the sender names a listed type or, with only
 * "octet-stream", the file name implies one.
 */
export function announcedType(contentType: string, fileName: string): FileType {
  const named = typeNamed(contentType) ?? OTHER
  return named === OTHER && /^application\/octet-stream\b/i.test(contentType) ? typeOfName(fileName) : named
}

/** Containers that include each other's types, or have the same first bytes. */
const CONTAINERS = [
  ['image/heic', 'image/heif'],
  ['image/png', 'image/apng'],
  ['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp', 'audio/mp4'],
  ['video/webm', 'video/matroska'],
  ['video/ogg', 'audio/ogg'],
  ['application/zip', 'application/vnd.android.package-archive'],
]

/** @returns why content that begins like this does not match the announcement, or undefined if it may */
export async function contentFault(announced: FileType, head: Buffer, fileName: string): Promise<string | undefined> {
  if (announced === OTHER) return undefined
  const found = await detectType(head, fileName)
  const isSame =
    found === announced ||
    CONTAINERS.some((kinds) => kinds.includes(found.mimeType) && kinds.includes(announced.mimeType))
  if (isSame) return undefined
  const content = found === OTHER ? 'of an unknown type' : found.mimeType
  return `"${fileName}" was announced as ${nameOf(announced)}, but its content is ${content}: announce it with that type`
}

const nameOf = ({ mimeType, extension }: FileType) =>
  mimeType === OTHER.mimeType ? `an AR World file (.${extension})` : mimeType
