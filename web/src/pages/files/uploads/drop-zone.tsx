import '@mantine/dropzone/styles.css'
import { Button } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { messages } from '../../../messages/index.ts'
import classes from './upload.module.css'

const texts = messages.files.upload

type Props = {
  onFiles: (files: File[]) => void
  multiple?: boolean
  /** Help text; describes the accepted files. */
  how?: string
  /** Uploading is the main action of the page. */
  isMain?: boolean
}

/** Accepts files by drop or by a file dialog. */
export function DropZone({ onFiles, multiple = true, how = texts.dropHow, isMain = false }: Props) {
  const choose = useRef<() => void>(null)
  return (
    <Dropzone
      openRef={choose}
      onDrop={onFiles}
      multiple={multiple}
      activateOnClick={false}
      activateOnKeyboard={false}
      enablePointerEvents
      tabIndex={-1}
      className={classes.box}
      inputProps={{ 'aria-label': multiple ? texts.choose : texts.chooseOne }}
    >
      <div className={classes.inside}>
        <IconUpload size={24} stroke={1.5} aria-hidden />
        <div className="grow">
          <div className="strong wide-only">{multiple ? texts.drop : texts.dropOne}</div>
          <div className="dim">{how}</div>
        </div>
        <Button variant={isMain ? 'filled' : 'default'} onClick={() => choose.current?.()}>
          {multiple ? texts.choose : texts.chooseOne}
        </Button>
      </div>
    </Dropzone>
  )
}
