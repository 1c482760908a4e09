import type { UserFileDetail } from '@cairn/sdk'
import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { formatBytes } from '../../components/data/format.ts'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import classes from './file.module.css'
import { mainConversion, mainResult, modelType } from './model-types.ts'

const texts = messages.files.file

/** A short name of the file's type, or its extension if the type is unknown. */
export const typeOf = (file: { contentType: string; fileName: string }): string => {
  const model = modelType(file)
  if (model) return model
  if (file.contentType !== 'application/octet-stream') return file.contentType.replace(/^.*\//, '')
  return /\.([a-z0-9]{1,8})$/i.exec(file.fileName)?.[1] ?? messages.files.kinds.other
}

/** Download links and URLs of the file, and of its USDZ or GLB. */
export function FileFacts({ file }: { file: UserFileDetail }) {
  const { url, fileName, bytes } = file
  const resultUrl = mainConversion(file)?.resultUrl
  const { type, name } = mainResult(file)
  const rows = [
    { name: typeOf(file), note: texts.original, url, saveAs: fileName, bytes: formatBytes(bytes) },
    ...(resultUrl ? [{ name: type, url: resultUrl, saveAs: name }] : []),
  ]
  return (
    <Panel title={texts.facts} flush>
      <ul className={classes.files}>
        {rows.map(({ name, note, url, saveAs, bytes }) => (
          <li key={url}>
            <span className="row wrap">
              <span className="strong">{name}</span>
              {note && <span className="faint">{note}</span>}
              <span className="grow" />
              {bytes && <span className="num">{bytes}</span>}
              <ActionIcon component="a" size={26} href={url} download={saveAs} aria-label={texts.downloadOf(name)}>
                <IconDownload size={14} aria-hidden />
              </ActionIcon>
            </span>
            <span className="row">
              <code className="truncate faint grow" title={url}>
                {url}
              </code>
              <CopyButton value={url} what={texts.addressOf(name)} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
