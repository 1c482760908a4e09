import { ActionIcon } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconFocusCentered,
  IconMaximize,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react'
import { messages } from '../../messages/index.ts'
import classes from './model-viewer.module.css'

const texts = messages.files.view

type Camera = { turn: (steps: number) => void; nearer: (steps: number) => void; whole: () => void }

/** Buttons for what dragging and the mouse wheel do. */
export function CameraButtons({ camera, onFull }: { camera: Camera; onFull: () => void }) {
  const buttons = [
    { name: texts.turnLeft, icon: IconChevronLeft, press: () => camera.turn(-1) },
    { name: texts.turnRight, icon: IconChevronRight, press: () => camera.turn(1) },
    { name: texts.nearer, icon: IconPlus, press: () => camera.nearer(1) },
    { name: texts.farther, icon: IconMinus, press: () => camera.nearer(-1) },
    { name: texts.whole, icon: IconFocusCentered, press: camera.whole },
    ...(document.fullscreenEnabled ? [{ name: texts.full, icon: IconMaximize, press: onFull }] : []),
  ]
  return (
    <div className={classes.camera} role="toolbar" aria-label={texts.camera} aria-orientation="vertical">
      {buttons.map(({ name, icon: Icon, press }) => (
        <ActionIcon key={name} size={34} radius={0} aria-label={name} title={name} onClick={press}>
          <Icon size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  )
}
