import type { Zone } from '@cairn/sdk'
import { Modal } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatNumber } from '../../../../components/data/format.ts'
import { FormActions } from '../../../../components/feedback/form-actions.tsx'
import { messages } from '../../../../messages/index.ts'
import type { Point } from '../points.ts'
import { ChangeFields } from './change-fields.tsx'
import { appliesTo, type Change } from './changes.ts'

const texts = messages.map.table.bulk

type Props = {
  points: Point[]
  zones: Zone[]
  isOpen: boolean
  onClose: () => void
  /** Called with the points that the change sets anything of. */
  onChange: (points: Point[], change: Change) => void
}

/** Asks what to change of several points. */
export function ChangeDialog({ isOpen, onClose, points, ...rest }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={texts.title(points.length, formatNumber(points.length))}>
      <Content points={points} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Content({ points, zones, onClose, onChange }: Omit<Props, 'isOpen'>) {
  const [change, setChange] = useState<Change>({})
  const concerned = points.filter((point) => appliesTo(change, point))
  const others = points.length - concerned.length
  const isEmpty = Object.keys(change).length === 0
  const has = { pins: points.some(({ kind }) => kind === 'pin'), gcps: points.some(({ kind }) => kind === 'gcp') }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (concerned.length === 0) return
    onChange(concerned, change)
    onClose()
  }
  return (
    <form className="stack" onSubmit={submit}>
      <ChangeFields change={change} onChange={setChange} zones={zones} has={has} />
      {!isEmpty && others > 0 && (
        <p className="dim small">{texts.notConcerned(others, formatNumber(others), formatNumber(points.length))}</p>
      )}
      <FormActions
        submitLabel={texts.verb(concerned.length, formatNumber(concerned.length))}
        isBusy={false}
        isDisabled={concerned.length === 0}
        onCancel={onClose}
      />
    </form>
  )
}
