import { Button, NumberInput, Textarea } from '@mantine/core'
import { IconWalk } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { messages } from '../../../../messages/index.ts'
import classes from './simulator.module.css'
import type { Pace } from './walk.ts'

const texts = messages.game.fences.simulator

const BOUNDS: { member: keyof Pace; min: number; max: number }[] = [
  { member: 'speed', min: 0.1, max: 1000 },
  { member: 'accuracy', min: 0, max: 1000 },
  { member: 'wait', min: 0, max: 86_400 },
]

type Props = {
  /** The path, with a place on each line. */
  path: string
  onPath: (path: string) => void
  /** What is wrong with the path. */
  fault: string | null
  isWalking: boolean
  onWalk: (pace: Pace) => void
}

/** The path and the pace of a walk. */
export function WalkForm({ path, onPath, fault, isWalking, onWalk }: Props) {
  // An entry is a text while it is being typed.
  const [entries, setEntries] = useState<Record<keyof Pace, string | number>>({ speed: 5, accuracy: 10, wait: 0 })
  const isComplete = Object.values(entries).every((entry) => entry !== '') && path.trim() !== '' && fault === null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const pace = BOUNDS.map(({ member, min, max }) => [member, Math.min(max, Math.max(min, Number(entries[member])))])
    if (isComplete) onWalk(Object.fromEntries(pace))
  }
  return (
    <form className={`stack ${classes.form}`} onSubmit={submit}>
      <Textarea
        label={texts.path}
        description={texts.pathHelp}
        rows={4}
        value={path}
        error={fault}
        onChange={({ currentTarget: { value } }) => onPath(value)}
      />
      {BOUNDS.map(({ member, min, max }) => (
        <NumberInput
          key={member}
          label={texts[member]}
          value={entries[member]}
          min={min}
          max={max}
          onChange={(value) => setEntries((before) => ({ ...before, [member]: value }))}
        />
      ))}
      <div className="row wrap">
        <Button
          type="submit"
          variant="filled"
          leftSection={<IconWalk size={16} aria-hidden />}
          disabled={!isComplete}
          loading={isWalking}
        >
          {texts.walk}
        </Button>
        <Button disabled={path === ''} onClick={() => onPath('')}>
          {texts.clear}
        </Button>
      </div>
    </form>
  )
}
