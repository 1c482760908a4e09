import { ActionIcon } from '@mantine/core'
import { IconMapPin, IconMapShare, IconMinus, IconPlus, IconPolygon, IconTable, IconTag } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Map as MapLibre } from 'maplibre-gl'
import type { ComponentType } from 'react'
import { messages } from '../../../messages/index.ts'
import classes from './map-controls.module.css'

const texts = messages.map.tools
type Making = 'pin' | 'gcp' | 'zone'
type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>

type Props = {
  map: MapLibre | null
  /** A form is open. Disables the buttons so that its input is not lost. */
  isMaking: boolean
  onMake: (what: Making) => void
  table: { isOn: boolean; onToggle: () => void }
}

/** Buttons to add items, to show the table, to share and to zoom. */
export function Toolbar({ map, isMaking, onMake, table }: Props) {
  const tool = (Icon: Icon, label: string, onClick: () => void, isDisabled = false) => (
    <ActionIcon
      key={label}
      size={34}
      radius={0}
      aria-label={label}
      title={label}
      onClick={onClick}
      disabled={isDisabled}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
  return (
    <>
      <div data-over-map className={`${classes.tools} ${classes.making}`}>
        {tool(IconMapPin, texts.pin, () => onMake('pin'), isMaking)}
        {tool(IconTag, texts.gcp, () => onMake('gcp'), isMaking)}
        {tool(IconPolygon, texts.zone, () => onMake('zone'), isMaking)}
        <ActionIcon
          size={34}
          radius={0}
          aria-label={messages.map.table.show}
          title={messages.map.table.show}
          aria-pressed={table.isOn}
          className={table.isOn ? classes.on : undefined}
          onClick={table.onToggle}
        >
          <IconTable size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
        <ActionIcon
          component={Link}
          to="/shared-maps"
          size={34}
          radius={0}
          aria-label={texts.share}
          title={texts.share}
        >
          <IconMapShare size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <div className={`${classes.tools} ${classes.zooming}`}>
        {tool(IconPlus, texts.closer, () => map?.zoomIn())}
        {tool(IconMinus, texts.farther, () => map?.zoomOut())}
      </div>
    </>
  )
}
