import { ActionIcon, Select } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { messages } from '../../messages/index.ts'
import classes from './model-viewer.module.css'
import type { Viewer } from './viewer.ts'

const texts = messages.files.view

type Props = { viewer: RefObject<Viewer | null>; clips: string[]; isMovingAtFirst: boolean }

/** Selects, plays and pauses an animation. */
export function ClipControls({ viewer, clips, isMovingAtFirst }: Props) {
  const names = [...new Set(clips)]
  const [clip, setClip] = useState(names[0]!)
  const [isMoving, setIsMoving] = useState(isMovingAtFirst)
  const toggle = () => {
    if (isMoving) viewer.current?.pause()
    else viewer.current?.play()
    setIsMoving(!isMoving)
  }
  const choose = (chosen: string | null) => {
    const element = viewer.current
    if (!chosen || !element) return
    setClip(chosen)
    element.animationName = chosen
    setIsMoving(true)
    void element.updateComplete.then(() => element.play())
  }
  return (
    <span className={classes.clips}>
      <ActionIcon size={26} aria-label={isMoving ? texts.pause : texts.play} onClick={toggle}>
        {isMoving ? <IconPlayerPause size={14} aria-hidden /> : <IconPlayerPlay size={14} aria-hidden />}
      </ActionIcon>
      <Select size="xs" aria-label={texts.clip} data={names} value={clip} allowDeselect={false} onChange={choose} />
    </span>
  )
}
