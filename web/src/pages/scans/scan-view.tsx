import type { Scan } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { ModelView } from '../../components/model-viewer/model-viewer.tsx'
import { messages } from '../../messages/index.ts'
import classes from './scan.module.css'
import { isUnreadable, nameOf } from './scan-badges.tsx'

const texts = messages.scans.one

/** The 3D view or the preview of a scan. */
export function ScanView({ scan }: { scan: Scan }) {
  const [isFlat, setIsFlat] = useState(false)
  const { scanUrl, fileType, previewImageUrl, triangles } = scan
  const type = fileType === 'GLB' || fileType === 'USDZ' ? fileType : null
  const picture = previewImageUrl ?? (fileType === 'IMAGE' ? scanUrl : null)
  const choice = type && picture && (
    <SegmentedControl
      aria-label={texts.which}
      value={isFlat ? 'flat' : 'model'}
      onChange={(value) => setIsFlat(value === 'flat')}
      data={[
        { value: 'model', label: texts.view },
        { value: 'flat', label: texts.preview },
      ]}
    />
  )
  if (type && scanUrl && !isFlat)
    return (
      <ModelView
        source={{ url: scanUrl, type }}
        name={nameOf(scan)}
        over={choice}
        facts={triangles !== null && messages.files.view.triangles(formatNumber(triangles))}
      />
    )
  if (isUnreadable(scan))
    return (
      <Notice tone="warn" title={texts.unreadable}>
        {texts.unreadableText}
      </Notice>
    )
  if (!picture) return scan.status === 'COMPLETED' ? <Notice tone="note">{texts.noView}</Notice> : null
  return (
    <figure className={classes.picture}>
      {choice && <div className={classes.over}>{choice}</div>}
      <img src={picture} alt={messages.scans.picture(nameOf(scan))} />
    </figure>
  )
}
