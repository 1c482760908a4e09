import type { App, Fence } from '@cairn/sdk'
import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../components/data/format.ts'
import { Table } from '../../../components/data/table.tsx'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'
import type { OpenFence } from './fences.tsx'

const texts = messages.game.fences
type Props = { app: App; fences: Fence[]; onOpen: (open: OpenFence) => void }

/** Fences with their places and rules. */
export const FenceTable = ({ app, fences, onOpen }: Props) => (
  <Table label={texts.list}>
    <thead>
      <tr>
        <th>{texts.name}</th>
        <th>{texts.place}</th>
        <th className="num wide-only">{texts.dwell}</th>
        <th className="wide-only">{texts.checkIns}</th>
        <th className="wide-only">{texts.listed}</th>
        {hasRole(app, 'developer') && (
          <th>
            <span className="visually-hidden">{texts.actions}</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {fences.map((fence) => (
        <tr key={fence.id}>
          <td>
            <Link data-row to="/map" search={{ select: placeOf(fence) }}>
              {fence.name}
            </Link>
          </td>
          <td className="dim">{fence.radius === null ? texts.inZone : texts.around(formatNumber(fence.radius))}</td>
          <td className="num wide-only dim">
            {fence.dwellSeconds === null ? '–' : texts.dwellOf(formatNumber(fence.dwellSeconds))}
          </td>
          <td className="wide-only dim">{checkInOf(fence)}</td>
          <td className="wide-only dim">{fence.listed ? texts.yes : texts.no}</td>
          {hasRole(app, 'developer') && (
            <td>
              <span className="row" style={{ justifyContent: 'flex-end' }}>
                <ActionIcon aria-label={texts.editOf(fence.name)} onClick={() => onOpen({ what: 'form', fence })}>
                  <IconPencil size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon aria-label={texts.deleteOf(fence.name)} onClick={() => onOpen({ what: 'delete', fence })}>
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </span>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </Table>
)

const placeOf = ({ zoneId, pinId }: Fence) => (zoneId === null ? `pin:${pinId}` : `zone:${zoneId}`)

function checkInOf({ checkIn }: Fence): string {
  if (!checkIn) return texts.noCheckIns
  const { once, award } = checkIn
  const often = typeof once === 'number' ? texts.onceSeconds(formatNumber(once)) : texts.onces[once]
  return award ? texts.award(formatNumber(award.points), often.toLowerCase()) : often
}
