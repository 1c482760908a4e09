import { detectType, type FileType, OTHER, typeNamed, typeOfName } from '../../../platform/storage/types/file-types.ts'

/** The type that a file which is still to come will be served as. Plain bytes, unless its sender names a type on the list or, with nothing better than "octet-stream", its name does. */
export function announcedType(contentType: string, fileName: string): FileType {
  const named = typeNamed(contentType) ?? OTHER
  return named === OTHER && /^application\/octet-stream\b/i.test(contentType) ? typeOfName(fileName) : named
}

/** Containers that hold each other's kinds, or that their first bytes do not tell apart. */
const CONTAINERS = [
  ['image/heic', 'image/heif'],
  ['image/png', 'image/apng'],
  ['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp', 'audio/mp4'],
  ['video/webm', 'video/matroska'],
  ['video/ogg', 'audio/ogg'],
  ['application/zip', 'application/vnd.android.package-archive'],
]

/** @returns why a file that begins so is not what was announced, or undefined when it may be */
export async function contentFault(announced: FileType, head: Buffer, fileName: string): Promise<string | undefined> {
  if (announced === OTHER) return undefined
  const found = await detectType(head, fileName)
  const isSame =
    found === announced ||
    CONTAINERS.some((kinds) => kinds.includes(found.mimeType) && kinds.includes(announced.mimeType))
  if (isSame) return undefined
  const content = found === OTHER ? 'nothing that is known' : found.mimeType
  return `"${fileName}" was announced as ${nameOf(announced)}, but its content is ${content}: announce it as what it is`
}

const nameOf = ({ mimeType, extension }: FileType) =>
  mimeType === OTHER.mimeType ? `an AR World file (.${extension})` : mimeType
