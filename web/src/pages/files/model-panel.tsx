import type { UserFileDetail } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { ModelView } from '../../components/model-viewer/model-viewer.tsx'
import { messages } from '../../messages/index.ts'
import classes from './file.module.css'
import { isGlb, isUsdz } from './model-types.ts'

const texts = messages.files.view
type Which = 'GLB' | 'USDZ' | 'both'

/** A 3D view of the GLB, its USDZ, or both side by side; of other formats the USDZ, once there is one. */
export function ModelPanel({ file }: { file: UserFileDetail }) {
  const [which, setWhich] = useState<Which>('GLB')
  const { url, fileName, conversion } = file
  const usdzUrl = conversion?.usdzUrl
  if (!isGlb(file)) {
    const shown = isUsdz(file) ? url : usdzUrl
    return shown && <ModelView source={{ url: shown, type: 'USDZ' }} name={fileName} facts={texts.usdzHow} />
  }

  const triangles = conversion?.report && texts.triangles(formatNumber(conversion.report.triangles))
  const choice = usdzUrl && (
    <SegmentedControl
      aria-label={texts.which}
      value={which}
      onChange={(value) => setWhich(value as Which)}
      data={['GLB', 'USDZ', { value: 'both', label: texts.both }]}
    />
  )
  const glb = <ModelView source={{ url, type: 'GLB' }} name={fileName} over={choice} facts={triangles} />
  if (!usdzUrl || which === 'GLB') return glb
  const usdz = <ModelView source={{ url: usdzUrl, type: 'USDZ' }} name={`${fileName} (USDZ)`} facts={texts.usdzHow} />
  if (which === 'both')
    return (
      <div className={classes.both}>
        {glb}
        {usdz}
      </div>
    )
  return <ModelView source={{ url: usdzUrl, type: 'USDZ' }} name={fileName} over={choice} facts={texts.usdzHow} />
}
