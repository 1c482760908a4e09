import { publishEvent } from '../../webhooks/outbox.ts'
import type { UploadedFile } from '../schema.ts'
import type { Within } from '../store.ts'

/** Publishes what a photo shows to the apps of its sender, in the transaction that changes it. */
export const publishChecked = (trx: Within, photo: UploadedFile): Promise<void> =>
  publishEvent(trx, {
    type: 'gcp_photo.checked',
    appId: null,
    userId: photo.userId,
    subject: String(photo.id),
    data: photo,
  })
