import type { UserFileDetail } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { IconCube } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../components/data/badge.tsx'
import { formatNumber } from '../../components/data/format.ts'
import { ModelView } from '../../components/model-viewer/model-viewer.tsx'
import type { Viewer } from '../../components/model-viewer/viewer.ts'
import { messages } from '../../messages/index.ts'
import classes from './file.module.css'
import { keepModelPicture } from './model-pictures.ts'
import { isGlb, isUsdz, mainConversion } from './model-types.ts'

const texts = messages.files.view
type Which = 'GLB' | 'USDZ' | 'both'

/** A 3D view of a GLB or USDZ, the other one that was made of it, or both side by side; of other formats the USDZ. */
export function ModelPanel({ file }: { file: UserFileDetail }) {
  const [which, setWhich] = useState<Which>(isUsdz(file) ? 'USDZ' : 'GLB')
  const { url, fileName, fileId } = file
  const queries = useQueryClient()
  const conversion = mainConversion(file)
  const glbUrl = isGlb(file) ? url : isUsdz(file) ? conversion?.resultUrl : undefined
  const usdzUrl = isUsdz(file) ? url : conversion?.resultUrl
  if (!glbUrl && !usdzUrl) return null

  const triangles = conversion?.report && texts.triangles(formatNumber(conversion.report.triangles))
  const choice = glbUrl && usdzUrl && (
    <SegmentedControl
      aria-label={texts.which}
      value={which}
      onChange={(value) => setWhich(value as Which)}
      data={['GLB', 'USDZ', { value: 'both', label: texts.both }]}
    />
  )
  // The list does without a picture that the browser cannot keep.
  const onDrawn = (viewer: Viewer) => void keepModelPicture(fileId, viewer, queries).catch(() => {})
  const glb = (name: string, over: ReactNode = choice) =>
    glbUrl && (
      <ModelView source={{ url: glbUrl, type: 'GLB' }} name={name} over={over} facts={triangles} onDrawn={onDrawn} />
    )
  const usdz = (name: string, over: ReactNode = choice) =>
    usdzUrl && (
      <ModelView
        source={{ url: usdzUrl, type: 'USDZ' }}
        name={name}
        over={over}
        facts={texts.usdzHow}
        onDrawn={onDrawn}
      />
    )
  if (!choice) return glb(fileName) ?? usdz(fileName)
  if (which === 'both')
    return (
      <div className={classes.both}>
        {glb(
          isGlb(file) ? fileName : `${fileName} (GLB)`,
          <span className="row wrap">
            {choice} <Badge icon={IconCube}>GLB</Badge>
          </span>,
        )}
        {usdz(isUsdz(file) ? fileName : `${fileName} (USDZ)`, <Badge icon={IconCube}>USDZ</Badge>)}
      </div>
    )
  return which === 'GLB' ? glb(fileName) : usdz(fileName)
}
