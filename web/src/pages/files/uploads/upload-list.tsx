import { ActionIcon, Button, Progress } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Badge, type Tone } from '../../../components/data/badge.tsx'
import { formatBytes, formatPercent } from '../../../components/data/format.ts'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { messages } from '../../../messages/index.ts'
import { useStore } from '../../../shell/store.ts'
import classes from './upload.module.css'
import type { Upload, UploadQueue } from './upload-queue.ts'

const texts = messages.files.upload

const STATES: Record<Upload['state'], { tone: Tone; icon: typeof IconCheck }> = {
  waiting: { tone: 'plain', icon: IconUpload },
  sending: { tone: 'note', icon: IconUpload },
  paused: { tone: 'warn', icon: IconPlayerPause },
  converting: { tone: 'note', icon: IconRefresh },
  done: { tone: 'ok', icon: IconCheck },
  failed: { tone: 'err', icon: IconAlertTriangle },
}

/** Uploads with their progress and actions. */
export function UploadList({ uploads, onChoose }: { uploads: UploadQueue; onChoose: () => void }) {
  const list = useStore(uploads.list)
  if (list.length === 0) return null
  return (
    <ul className={classes.rows} aria-label={texts.queue}>
      {list.map((upload) => (
        <Row key={upload.key} upload={upload} uploads={uploads} onChoose={onChoose} />
      ))}
    </ul>
  )
}

function Row({ upload, uploads, onChoose }: { upload: Upload; uploads: UploadQueue; onChoose: () => void }) {
  const { key, name, size, sent, state, file, fileId, error } = upload
  const share = size === 0 ? 1 : sent / size
  const isOver = state === 'done' || state === 'converting'
  const mayGoOn = (state === 'paused' || state === 'failed') && file
  return (
    <li className={classes.row}>
      <div className="row wrap">
        <span className={`truncate strong ${classes.name}`} title={name}>
          {name}
        </span>
        <Badge {...STATES[state]}>{texts.states[state]}</Badge>
        <span className="grow" />
        {!isOver && (
          <span className="faint num">{texts.sending(formatBytes(sent), formatBytes(size), formatPercent(share))}</span>
        )}
        {fileId !== undefined && (
          <Link to="/files/$fileId" params={{ fileId: String(fileId) }}>
            {texts.open}
          </Link>
        )}
        {(state === 'sending' || state === 'waiting') && (
          <ActionIcon size={26} aria-label={texts.pause(name)} onClick={() => uploads.pause(key)}>
            <IconPlayerPause size={14} aria-hidden />
          </ActionIcon>
        )}
        {mayGoOn && (
          <ActionIcon size={26} aria-label={texts.goOn(name)} onClick={() => uploads.resume(key)}>
            <IconPlayerPlay size={14} aria-hidden />
          </ActionIcon>
        )}
        {state === 'paused' && !file && (
          <Button size="xs" onClick={onChoose}>
            {texts.chooseAgain(name)}
          </Button>
        )}
        {state !== 'sending' && state !== 'converting' && (
          <ActionIcon size={26} aria-label={texts.forget(name)} onClick={() => uploads.remove(key)}>
            <IconX size={14} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {!isOver && <Progress value={share * 100} size={4} aria-label={texts.progress(name)} />}
      {state === 'paused' && !file && <p className="dim">{texts.again}</p>}
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {state === 'done' ? texts.unconverted(errorMessage(error)) : errorMessage(error)}
        </p>
      )}
    </li>
  )
}
