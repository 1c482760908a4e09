import type { Zone } from '@cairn/sdk'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { startTransition, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { messages } from '../../../messages/index.ts'
import { ChangeDialog } from './bulk/change-dialog.tsx'
import { savePointsAsCsv, savePointsAsGeoJson } from './bulk/export-points.ts'
import { useBulk } from './bulk/use-bulk.ts'
import type { Point } from './points.ts'
import classes from './table.module.css'
import type { PointSelection } from './use-point-selection.ts'

const texts = messages.map.table
/** Each takes up to three requests, and one to undo it, of the 3,000 a minute that a user has by default: some minutes in all. */
const MOST_AT_ONCE = 5000

type Props = { listed: Point[]; selection: PointSelection; zones: Zone[] }

/** What can be done with the selected points. */
export function SelectionBar({ listed, selection: { selected, setAll }, zones }: Props) {
  // The points that a dialog is about: the list may change under it.
  const [changing, setChanging] = useState<Point[]>()
  const [deleting, setDeleting] = useState<Point[]>()
  const { change, remove, isRunning } = useBulk(setAll)
  const count = formatNumber(selected.length)
  const isTooMany = selected.length > MOST_AT_ONCE
  const isDisabled = isTooMany || isRunning
  const number = deleting?.length ?? 0
  return (
    <>
      {selected.length > 0 && (
        <div className={classes.bar} role="toolbar" aria-label={texts.selected(count)}>
          <div className={`row ${classes.selection}`}>
            <span className="strong grow">{texts.selected(count)}</span>
            {selected.length < listed.length && (
              <Button size="xs" variant="subtle" onClick={() => setAll(listed)}>
                {texts.selectAll(formatNumber(listed.length))}
              </Button>
            )}
            <ActionIcon
              size={28}
              aria-label={texts.clearSelection}
              title={texts.clearSelection}
              // The button answers first: the rows of a page take longer than a frame.
              onClick={() => startTransition(() => setAll([]))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
          <Button size="xs" disabled={isDisabled} onClick={() => setChanging(selected)}>
            {texts.bulk.change}
          </Button>
          <Button size="xs" disabled={isDisabled} onClick={() => setDeleting(selected)}>
            {messages.common.delete}
          </Button>
          <Menu>
            <Menu.Target>
              <Button size="xs">{texts.export}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => savePointsAsCsv(selected)}>CSV</Menu.Item>
              <Menu.Item onClick={() => savePointsAsGeoJson(selected)}>GeoJSON</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {isTooMany && <span className="dim small">{texts.bulk.atMost(formatNumber(MOST_AT_ONCE))}</span>}
        </div>
      )}
      <ChangeDialog
        points={changing ?? []}
        zones={zones}
        isOpen={changing !== undefined}
        onClose={() => setChanging(undefined)}
        onChange={(points, what) => void change(points, what)}
      />
      <Confirm
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={texts.bulk.delete(number, formatNumber(number))}
        verb={texts.bulk.delete(number, formatNumber(number))}
        onConfirm={() => {
          remove(deleting!)
          setDeleting(undefined)
        }}
      >
        {deleting && texts.bulk.deleteText(number)}
      </Confirm>
    </>
  )
}
