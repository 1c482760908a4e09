import { NumberInput } from '@mantine/core'
import { messages } from '../../../messages/index.ts'
import classes from './editor.module.css'
import { type PoseInput, parseNumberOr } from './pose.ts'

const texts = messages.map.pose

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
