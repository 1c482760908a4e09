import type { Zone } from '@cairn/sdk'
import { type Kind, keyOf } from '../url-state.ts'
import { GcpForm } from './gcp-form.tsx'
import { PinForm } from './pin-form.tsx'
import type { EditorState } from './use-editor.ts'
import { ZoneForm } from './zone-form.tsx'

type Props = {
  state: EditorState
  zones: Zone[]
  /** Called with `kind:id`. */
  onSaved: (name: string) => void
}

/** The form of the current edit. */
export function Editor({ state, zones, onSaved }: Props) {
  const { task, place, setPlace, setYaw, boundary, end } = state
  const saved = (kind: Kind) => (id: number) => {
    end()
    onSaved(keyOf({ kind, id }))
  }
  const common = { place, onPlace: setPlace, onYaw: setYaw, zones, onCancel: end }
  if (task?.kind === 'pin')
    return <PinForm key={task.pin?.id ?? 'new'} {...common} pin={task.pin} onSaved={saved('pin')} />
  if (task?.kind === 'gcp')
    return <GcpForm key={task.gcp?.id ?? 'new'} {...common} gcp={task.gcp} onSaved={saved('gcp')} />
  if (task?.kind === 'zone')
    return (
      <ZoneForm
        key={task.zone?.id ?? 'new'}
        zone={task.zone}
        boundary={boundary}
        onSaved={saved('zone')}
        onCancel={end}
      />
    )
  return null
}
