import { ActionIcon, NumberInput, Slider } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { ApiCallButton } from '../../../components/layout/api-call.tsx'
import { messages } from '../../../messages/index.ts'
import { useStore } from '../../../shell/store.ts'
import { CoordinatesField } from '../editor/coordinates-field.tsx'
import classes from '../map.module.css'
import { MAX_METRES } from '../url-state.ts'
import type { SearchRadius } from '../use-search-radius.ts'
import type { UrlState } from '../use-url-state.ts'

const texts = messages.map.near
/** The slider is logarithmic, from 10 m to 100 km. A step is 12 %: a smaller one than 10 % would be rounded away. */
const [FEWEST, MAX, STEP] = [1, 5, 0.05]
/** Two significant digits are precise enough for a slider. */
const metresAt = (step: number) => Number((10 ** step).toPrecision(2))

type Props = {
  urlState: UrlState
  search: SearchRadius
  picking: { isOn: boolean; onChange: (isOn: boolean) => void }
}

/** The centre and radius of the search. */
export function RadiusSearch({ urlState, search, picking }: Props) {
  const { point, change } = urlState
  const radius = useStore(search)
  const [written, setWritten] = useState<number | string>(radius)
  useEffect(() => setWritten(radius), [radius])
  const take = () => {
    const metres = Number(written)
    if (written !== '' && metres >= 0 && metres <= MAX_METRES && metres !== radius) search.settle(metres)
  }
  return (
    <>
      <div className="row">
        <h2 className="grow">{texts.title}</h2>
        {point && (
          <ApiCallButton path={`/api/location/pins?lat=${point.lat}&lon=${point.lon}&radius=${urlState.radius}`} />
        )}
      </div>
      <CoordinatesField
        label={texts.point}
        hideLabel
        place={point}
        onPlace={({ lat, lon }) => change({ lat, lon, radius: urlState.radius })}
        picking={picking}
        after={
          point && (
            <ActionIcon
              size={28}
              aria-label={texts.clear}
              title={texts.clear}
              onClick={() => change({ lat: undefined, lon: undefined, radius: undefined })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )
        }
      />
      <div className={classes.radius}>
        <span id="radius-label">{texts.radius}</span>
        <Slider
          className="grow"
          size="sm"
          min={FEWEST}
          max={MAX}
          step={STEP}
          label={null}
          disabled={!point}
          value={Math.log10(Math.max(radius, 10))}
          onChange={(step) => search.set(metresAt(step))}
          onChangeEnd={(step) => search.settle(metresAt(step))}
          thumbProps={{ 'aria-labelledby': 'radius-label' }}
          thumbValueText={texts.metres(formatNumber(radius))}
        />
        <NumberInput
          aria-label={texts.radiusMetres}
          className={classes.metres}
          min={0}
          max={MAX_METRES}
          hideControls
          disabled={!point}
          value={written}
          onChange={setWritten}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take()
          }}
          rightSection={<span className="faint">m</span>}
        />
      </div>
    </>
  )
}
