import type { Zone } from '@cairn/sdk'
import { Button, Group, Modal, Progress } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatNumber } from '../../../../components/data/format.ts'
import { FormActions } from '../../../../components/feedback/form-actions.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { messages } from '../../../../messages/index.ts'
import type { Point } from '../points.ts'
import { ChangeFields } from './change-fields.tsx'
import { appliesTo, type Change } from './changes.ts'
import { sentencesOf } from './report.ts'
import { type ChangeOutcome, useBulkChange } from './use-bulk.ts'

const texts = messages.map.table.bulk

type Props = {
  points: Point[]
  zones: Zone[]
  isOpen: boolean
  onClose: () => void
  /** Selects those that were not changed. */
  onSelect: (points: Point[]) => void
}

/** Changes several points and reports which ones it did not change, and why. */
export function ChangeDialog({ isOpen, onClose, points, ...rest }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  // A dialog that works is not closed by a press beside it.
  const close = () => {
    if (!isBusy) onClose()
  }
  return (
    <Modal opened={isOpen} onClose={close} title={texts.title(points.length, formatNumber(points.length))}>
      <Content points={points} onClose={onClose} onBusy={setIsBusy} {...rest} />
    </Modal>
  )
}

type ContentProps = Omit<Props, 'isOpen'> & { onBusy: (isBusy: boolean) => void }

function Content({ points, zones, onClose, onSelect, onBusy }: ContentProps) {
  const [change, setChange] = useState<Change>({})
  const [report, setReport] = useState<{ outcome: ChangeOutcome; total: number }>()
  const bulk = useBulkChange()
  const concerned = points.filter((point) => appliesTo(change, point))
  const others = points.length - concerned.length
  const isEmpty = Object.keys(change).length === 0
  const has = { pins: points.some(({ kind }) => kind === 'pin'), gcps: points.some(({ kind }) => kind === 'gcp') }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (concerned.length === 0) return
    onBusy(true)
    try {
      const outcome = await bulk.change(concerned, change)
      if (outcome.done.length === concerned.length) onClose()
      else setReport({ outcome, total: concerned.length })
    } finally {
      onBusy(false)
    }
  }
  if (bulk.tried !== null)
    return <Running tried={bulk.tried} wait={bulk.wait} total={concerned.length} onStop={bulk.stop} />
  if (report) return <Report {...report} onClose={onClose} onSelect={onSelect} />
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

type RunningProps = { tried: number; wait: number | null; total: number; onStop: () => void }

function Running({ tried, wait, total, onStop }: RunningProps) {
  return (
    <div className="stack">
      <p role="status">{texts.running(formatNumber(tried), formatNumber(total))}</p>
      <Progress value={(100 * tried) / total} aria-label={texts.progress} />
      {wait !== null && <p className="dim small">{texts.waiting(formatNumber(wait))}</p>}
      <Group justify="flex-end">
        <Button onClick={onStop}>{texts.stop}</Button>
      </Group>
    </div>
  )
}

type ReportProps = { outcome: ChangeOutcome; total: number } & Pick<Props, 'onClose' | 'onSelect'>

function Report({ outcome: { done, failed, left }, total, onClose, onSelect }: ReportProps) {
  const rest = [...failed.map(({ item }) => item), ...left]
  const select = () => {
    onSelect(rest)
    onClose()
  }
  return (
    <div className="stack">
      {done.length > 0 && <p role="status">{texts.changed(done.length, formatNumber(done.length))}</p>}
      {sentencesOf(failed, total, texts.notChanged).map(({ sentence, titles }) => (
        <Notice key={sentence} tone="err" title={sentence}>
          <div>{titles}</div>
        </Notice>
      ))}
      {left.length > 0 && (
        <Notice
          tone="note"
          title={texts.notChanged(formatNumber(left.length), formatNumber(total), texts.causes.stopped)}
        />
      )}
      <Group justify="flex-end" gap={8}>
        <Button onClick={select}>{texts.selectRest(rest.length, formatNumber(rest.length))}</Button>
        <Button variant="filled" data-autofocus onClick={onClose}>
          {messages.common.close}
        </Button>
      </Group>
    </div>
  )
}
