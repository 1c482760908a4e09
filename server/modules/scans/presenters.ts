import { WAITS_FOR_DISK } from '../../platform/job-disk-check.ts'
import type { Scan } from './schema.ts'
import type { ScanRow } from './store.ts'

type Deps = {
  /** The public URL of an object. */
  plain: (key: string) => string
  /** A signed URL of an object, valid for a limited time. */
  signed: (key: string) => string
  /** Whether scans wait for free disk space. */
  isHeld: () => boolean
}

/** Turns scans into the JSON of the interface. */
export function scanPresenters({ plain, signed, isHeld }: Deps) {
  const toResponse = (row: ScanRow, addressOf: (key: string) => string): Scan => {
    const { userId, appId, error, fileKey, mimeType, sha256, previewKey, usdzKey, capturedFrom, ...scan } = row
    return {
      ...scan,
      notes: scan.status === 'PENDING' && isHeld() ? [...scan.notes, WAITS_FOR_DISK] : scan.notes,
      scanUrl: addressOf(fileKey),
      previewImageUrl: previewKey && addressOf(previewKey),
      usdzUrl: usdzKey && addressOf(usdzKey),
      ...(error === null ? {} : { error }),
    }
  }

  return {
    scan: (row: ScanRow): Scan => toResponse(row, row.visibility === 'private' ? signed : plain),
    /** The scan as others than its owner see it, and as events carry it: without signed URLs. */
    event: (row: ScanRow): Scan => toResponse(row, plain),
  }
}

export type ScanPresenters = ReturnType<typeof scanPresenters>
