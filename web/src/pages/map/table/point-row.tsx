import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { formatAccuracy, formatCoordinates, formatMetres } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { messages } from '../../../messages/index.ts'
import { SpotIcon } from '../list/spot-icon.tsx'
import { Owner } from './owner.tsx'
import { kindOf, type Point } from './points.ts'
import classes from './table.module.css'
import type { PointSelection } from './use-point-selection.ts'

const texts = messages.map.table

type Props = {
  point: Point
  isSelected: boolean
  isOpen: boolean
  hasAccuracy: boolean
  onToggle: PointSelection['toggle']
  onOpen: (point: Point) => void
}

/** A row of the table of points. It is rendered again only if one of its properties changes. */
export const PointRow = memo(({ point, isSelected, isOpen, hasAccuracy, onToggle, onOpen }: Props) => (
  <tr aria-selected={isSelected}>
    <td>
      <Checkbox
        data-walk="check"
        aria-label={texts.select(point.title)}
        checked={isSelected}
        onChange={({ nativeEvent }) => onToggle(point, (nativeEvent as MouseEvent).shiftKey)}
      />
    </td>
    <td className={classes.title}>
      <span className="row">
        <SpotIcon kind={point.kind} tag={point.tag} />
        <button
          type="button"
          data-row
          data-walk="title"
          className="truncate"
          aria-current={isOpen}
          onClick={() => onOpen(point)}
        >
          {point.title}
        </button>
      </span>
      <span className="narrow-only faint small">{[kindOf(point), point.zone?.title].filter(Boolean).join(' · ')}</span>
    </td>
    <td className="wide-only dim">{kindOf(point)}</td>
    <td className="wide-only num dim">{point.tag ?? '–'}</td>
    <td className={`wide-only dim ${classes.zone}`}>{point.zone?.title ?? '–'}</td>
    <td className={`dim ${classes.aside}`}>
      <Owner id={point.ownerId} />
    </td>
    <td className={`dim ${classes.aside}`}>{messages.map.visibilities[point.visibility ?? 'public']}</td>
    <td className={`num mono ${classes.aside}`}>{formatCoordinates(point.lat, point.lon)}</td>
    <td className="roomy-only num">{point.height === null ? '–' : formatMetres(point.height)}</td>
    {hasAccuracy && (
      <td className="roomy-only num">{point.accuracy === null ? '–' : formatAccuracy(point.accuracy)}</td>
    )}
    <td className="num">{formatMetres(point.distance)}</td>
    <td className="roomy-only dim">
      <RelativeTime at={point.updatedAt} />
    </td>
  </tr>
))
