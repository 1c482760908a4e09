import type { AuditEntry } from '@cairn/sdk'
import { linkOptions } from '@tanstack/react-router'

/** The page of the affected record, or the page that lists it. Undefined where there is none. */
export function linkOfSubject({ action, subject, subjectName, appId }: AuditEntry) {
  // What is deleted has no page.
  if (action.endsWith('.deleted') && subjectName === null) return undefined
  const [kind = '', done = ''] = action.split('.')
  const [id = subject] = subject.split('/')
  return ofPlace(kind, id) ?? ofInstallation(kind, id) ?? ofApp(kind, done, id, appId)
}

function ofPlace(kind: string, id: string) {
  const onMap = { pin: 'pin', gcp: 'gcp', gcp_photo: 'gcp', zone: 'zone', zone_editor: 'zone' }[kind]
  if (onMap) return linkOptions({ to: '/map', search: { select: `${onMap}:${id}` } })
  if (kind === 'import') return linkOptions({ to: '/import/$uploadId', params: { uploadId: id } })
  if (kind === 'scan') return linkOptions({ to: '/scans/$scanId', params: { scanId: id } })
  if (kind === 'file') return linkOptions({ to: '/files/$fileId', params: { fileId: id } })
  return undefined
}

function ofInstallation(kind: string, id: string) {
  if (['user', 'account', 'session', 'apps', 'app_keys'].includes(kind))
    return linkOptions({ to: '/users/$userId', params: { userId: id } })
  if (kind === 'job' || kind === 'basemap') return linkOptions({ to: '/health' })
  return undefined
}

function ofApp(kind: string, done: string, id: string, inApp: string | null) {
  if (kind === 'app_member') return linkOptions({ to: '/apps/$appId/members', params: { appId: id } })
  if (kind === 'position_settings') return linkOptions({ to: '/apps/$appId/fences', params: { appId: id } })
  if (/^app(_|$)/.test(kind)) return linkOptions({ to: '/apps/$appId', params: { appId: id } })
  if (inApp === null) return undefined
  const params = { appId: inApp }
  switch (kind) {
    case 'player':
      return linkOptions({ to: '/apps/$appId/players/$playerId', params: { ...params, playerId: id } })
    case 'game_session':
    case 'score':
    case 'leaderboard':
      return linkOptions({ to: '/apps/$appId/sessions/$sessionId', params: { ...params, sessionId: id } })
    case 'held_score':
    case 'check_in':
      return linkOptions({ to: '/apps/$appId/reviews', params, search: { state: done } })
    case 'season':
      return linkOptions({ to: '/apps/$appId/seasons', params })
    case 'mini_game_type':
    case 'score_hook':
      return linkOptions({ to: '/apps/$appId/mini-games', params })
    case 'fence':
      return linkOptions({ to: '/apps/$appId/fences', params })
    case 'webhook':
    case 'webhook_secret':
      return linkOptions({ to: '/apps/$appId/webhooks', params, search: { hook: id } })
    default:
      return undefined
  }
}
