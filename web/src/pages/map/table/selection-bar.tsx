import type { Zone } from '@cairn/sdk'
import { Button, Menu } from '@mantine/core'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import { savePointsAsCsv, savePointsAsGeoJson } from './bulk/export-points.ts'
import type { Point } from './points.ts'
import classes from './table.module.css'
import type { PointSelection } from './use-point-selection.ts'

const texts = messages.map.table

type Props = { listed: Point[]; selection: PointSelection; zones: Zone[] }

/** What can be done with the selected points. */
export function SelectionBar({ listed, selection: { selected, setAll } }: Props) {
  if (selected.length === 0) return null
  const count = formatNumber(selected.length)
  return (
    <div className={classes.bar} role="toolbar" aria-label={texts.selected(count)}>
      <span className="strong">{texts.selected(count)}</span>
      <Menu>
        <Menu.Target>
          <Button size="xs">{texts.export}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => savePointsAsCsv(selected)}>CSV</Menu.Item>
          <Menu.Item onClick={() => savePointsAsGeoJson(selected)}>GeoJSON</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {selected.length < listed.length && (
        <Button size="xs" variant="subtle" onClick={() => setAll(listed)}>
          {texts.selectAll(formatNumber(listed.length))}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={() => setAll([])}>
        {texts.clearSelection}
      </Button>
    </div>
  )
}
