import type { UserFile } from '@cairn/sdk'
import {
  IconBadge3d,
  IconCube,
  IconFile,
  IconFileText,
  IconFileZip,
  IconMovie,
  IconMusic,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react'
import { useState } from 'react'
import { isSameOrigin } from '../../components/data/same-origin.ts'
import classes from './files.module.css'
import { useModelPicture } from './model-pictures.ts'
import { isConvertible, isUsdz } from './model-types.ts'

/** The most bytes of an image that is its own thumbnail. */
const THUMBNAIL_BYTES = 262_144
const isDrawable = ({ contentType }: UserFile) => /^image\/(png|jpeg|gif|webp|avif)$/.test(contentType)

/** By type; bytes of an unknown type by the extension of the name. */
const ICONS: [RegExp, typeof IconFile][] = [
  [/^image\//, IconPhoto],
  [/^video\/|\.(mp4|mov|webm)$/i, IconMovie],
  [/^audio\/|\.(mp3|m4a|ogg|wav|flac)$/i, IconMusic],
  [/\.(csv|tsv|xlsx|ods)$/i, IconTable],
  [/zip|gzip|\.(tar|7z)$/i, IconFileZip],
  [/^text\/|pdf|json|xml|\.(txt|md|log)$/i, IconFileText],
]

function iconOf(file: UserFile) {
  if (isConvertible(file)) return IconCube
  if (isUsdz(file)) return IconBadge3d
  return ICONS.find(([kind]) => kind.test(`${file.contentType} ${file.fileName}`))?.[1] ?? IconFile
}

/** A small image itself, the picture of a model that was looked at, or an icon of the kind of file. Decorative: the type is shown beside it. */
export function FileIcon({ file }: { file: UserFile }) {
  const [isBroken, setIsBroken] = useState(false)
  const Icon = iconOf(file)
  const picture = useModelPicture(file.fileId)
  const isImage = isDrawable(file) && file.bytes <= THUMBNAIL_BYTES && isSameOrigin(file.url)
  const url = isBroken ? undefined : isImage ? file.url : picture
  return (
    <span className={classes.icon} data-kind={url ? 'thumbnail' : 'icon'}>
      {url ? (
        <img src={url} alt="" loading="lazy" onError={() => setIsBroken(true)} />
      ) : (
        <Icon size={18} stroke={1.5} aria-hidden />
      )}
    </span>
  )
}
