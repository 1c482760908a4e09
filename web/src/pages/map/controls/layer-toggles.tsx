import { IconCheck } from '@tabler/icons-react'
import { formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import { useCurrentApp } from '../../../shell/current-app.tsx'
import formClasses from '../editor/editor.module.css'
import classes from '../map.module.css'
import { LAYERS, type Layer } from '../url-state.ts'
import type { UrlState } from '../use-url-state.ts'

const texts = messages.map.layers

/** Buttons that show and hide layers, with the number of visible items. */
export function LayerToggles({
  urlState,
  counts,
}: {
  urlState: UrlState
  counts: Partial<Record<Layer, string | number>>
}) {
  const { layers, change, visitsOf } = urlState
  const { app } = useCurrentApp()
  const press = (layer: Layer) => {
    const next = LAYERS.filter((one) => (one === layer ? !layers.includes(one) : layers.includes(one)))
    change({ layers: next.join(',') })
  }
  return (
    <fieldset className={formClasses.choices} aria-label={texts.title} id="map-layers">
      {LAYERS.map((layer) => {
        const isOn = layers.includes(layer)
        const count = counts[layer]
        return (
          <button
            type="button"
            key={layer}
            className={classes.chip}
            aria-pressed={isOn}
            data-layer={layer}
            onClick={() => press(layer)}
          >
            {isOn && <IconCheck size={14} aria-hidden />}
            {texts[layer]}
            {isOn && count !== undefined && <span>{typeof count === 'number' ? formatNumber(count) : count}</span>}
          </button>
        )
      })}
      {(app || visitsOf) && (
        <button
          type="button"
          className={classes.chip}
          aria-pressed={visitsOf !== undefined}
          data-layer="visits"
          onClick={() => change({ visits: visitsOf ? undefined : app?.id })}
        >
          {visitsOf && <IconCheck size={14} aria-hidden />}
          {messages.map.table.visits.title}
        </button>
      )}
    </fieldset>
  )
}
