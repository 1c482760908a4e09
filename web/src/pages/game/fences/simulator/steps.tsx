import type { FenceEvent, FenceSimulation } from '@cairn/sdk'
import { Badge } from '../../../../components/data/badge.tsx'
import { formatNumber } from '../../../../components/data/format.ts'
import { Table } from '../../../../components/data/table.tsx'
import { messages } from '../../../../messages/index.ts'
import { Doubts } from '../live/doubts.tsx'

const { simulator: texts, events: eventTexts } = messages.game.fences
const TONES = { accepted: 'ok', held: 'warn', refused: 'err' } as const

type Step = { key: string; at: number; fence: string } & (
  | Pick<FenceEvent, 'type' | 'doubts'>
  | { checkIn: FenceSimulation['checkIns'][number] }
)

/** The events and check-ins of a simulated walk in the order of their times. */
export function Steps({ result, startAt }: { result: FenceSimulation; startAt: number }) {
  const steps = stepsOf(result)
  if (steps.length === 0) return <p className="dim pad">{texts.nothing}</p>
  return (
    <>
      <Table label={texts.results}>
        <thead>
          <tr>
            <th className="num">{texts.after}</th>
            <th>{eventTexts.event}</th>
            <th>{eventTexts.fence}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.key}>
              <td className="num dim">{clockOf((step.at - startAt) / 1000)}</td>
              <td>{'checkIn' in step ? <CheckIn {...step.checkIn} /> : <Event {...step} />}</td>
              <td>{step.fence}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {result.isCut && <p className="dim pad">{texts.isCut}</p>}
    </>
  )
}

const Event = ({ type, doubts }: Pick<FenceEvent, 'type' | 'doubts'>) => (
  <>
    {eventTexts.types[type]}
    <Doubts doubts={doubts} />
  </>
)

function CheckIn({ state, reason, message, points }: FenceSimulation['checkIns'][number]) {
  const why = message ?? (reason === 'mocked' || reason === 'shared_fix' ? reason : null)
  return (
    <>
      <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
      {points !== null && <span className="small dim"> {texts.points(formatNumber(points))}</span>}
      {why && <div className="small dim">{why}</div>}
    </>
  )
}

function stepsOf({ events, checkIns }: FenceSimulation): Step[] {
  const shown: Step[] = [
    ...events.map(({ type, fenceId, name, at, doubts }) => ({
      ...{ key: `${type} ${fenceId} ${at}`, at: Date.parse(at), fence: name, type, doubts },
    })),
    ...checkIns.map((checkIn) => ({
      ...{ key: `check-in ${checkIn.fenceId} ${checkIn.at}`, at: Date.parse(checkIn.at), fence: checkIn.name, checkIn },
    })),
  ]
  return shown.toSorted((a, b) => a.at - b.at)
}

/** Minutes and seconds. */
const clockOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
