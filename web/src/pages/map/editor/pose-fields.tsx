import { CairnError } from '@cairn/sdk'
import { NumberInput } from '@mantine/core'
import { messages } from '../../../messages/index.ts'
import classes from './editor.module.css'
import { hasTagPose, type PoseInput, parseNumberOr, type TagInput } from './pose.ts'

const texts = messages.map.pose
const tagTexts = messages.map.tagPose

type Props = {
  pose: PoseInput
  onPose: (pose: PoseInput) => void
  /** Called with the yaw, or null. */
  onYaw: (yaw: number | null) => void
  heightLabel: string
  error?: string | undefined
}

/** Fields for height and orientation. The map shows the orientation as an arrow. */
export function PoseFields({ pose, onPose, onYaw, heightLabel, error }: Props) {
  const field = (name: keyof PoseInput, label: string, unit: string) => (
    <NumberInput
      label={label}
      value={pose[name]}
      onChange={(value) => {
        onPose({ ...pose, [name]: value })
        if (name === 'yaw') onYaw(parseNumberOr(value, null))
      }}
      hideControls
      decimalScale={4}
      rightSection={<span className="faint">{unit}</span>}
    />
  )
  return (
    <fieldset className={classes.fields}>
      <legend>{texts.title}</legend>
      <div className={classes.pair}>
        {field('height', heightLabel, 'm')}
        {field('yaw', texts.yaw, '°')}
        {field('pitch', texts.pitch, '°')}
        {field('roll', texts.roll, '°')}
      </div>
      <p className="faint small">{texts.how}</p>
      {error && <p className={classes.refusal}>{error}</p>}
    </fieldset>
  )
}

type TagProps = {
  tag: TagInput
  onTag: (tag: TagInput) => void
  /** Of the request. */
  error: unknown
}

/** Fields for how a tag is printed and placed. A pose needs a heading and a tilt. */
export function TagPoseFields({ tag, onTag, error }: TagProps) {
  const errors = tagErrors(error)
  const isPosed = hasTagPose(tag)
  const field = (name: keyof TagInput, label: string, unit: string, isNeeded = false) => (
    <NumberInput
      label={label}
      value={tag[name]}
      onChange={(value) => onTag({ ...tag, [name]: value })}
      hideControls
      decimalScale={4}
      required={isNeeded}
      rightSection={<span className="faint">{unit}</span>}
      error={errors[name]}
    />
  )
  return (
    <fieldset className={classes.fields}>
      <legend>{tagTexts.title}</legend>
      {field('size', tagTexts.size, 'mm')}
      <div className={classes.pair}>
        {field('heading', tagTexts.heading, '°', isPosed)}
        {field('tilt', tagTexts.tilt, '°', isPosed)}
        {field('turn', tagTexts.turn, '°')}
        {field('accuracy', tagTexts.accuracy, '°')}
      </div>
      <p className="faint small">{tagTexts.how}</p>
    </fieldset>
  )
}

/** The messages of an error by field: its issues are at `tagSize`, `tagPose.heading` and so on. */
function tagErrors(error: unknown): Partial<Record<string, string>> {
  const issues = error instanceof CairnError ? error.issues : []
  return Object.fromEntries(
    issues.flatMap(({ path: [member, part], message }) => {
      if (member === 'tagSize') return [['size', message]]
      return member === 'tagPose' ? [[String(part), message]] : []
    }),
  )
}
