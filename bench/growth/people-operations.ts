import { asUser, get, makeAndDelete, type Operation, some, write } from './operation.ts'
import { idOf } from './seed.ts'

const APPS = '/api/v1/apps'
const file = (turn: number): FormData => {
  const form = new FormData()
  form.set('file', new Blob([`a file of turn ${turn}`]), 'note.bin')
  return form
}

/** Operations on files, scans, users, codes, logs, webhooks, and the installation. */
export const peopleOperations: Operation[] = [
  write('file: upload', (_, __, turn) => ({ path: '/api/upload', body: file(turn + performance.now()) }), 'user'),
  asUser('file: its conversion', (_, n) => `/api/upload/convert?fileId=${n + 1}`),
  get('scans of all: first 20', () => '/api/v1/scans/public-scans?limit=20'),
  get(
    'scans of all: 20 in the middle',
    ({ rows }) => `/api/v1/scans/public-scans?limit=20&page=${Math.floor(rows / 40)}`,
  ),
  write('code: make', (_, __, ___) => ({ path: '/auth/codes', body: {} }), 'user'),
  asUser('user: get', () => '/api/v1/user'),
  asUser('users: search', (_, n) => `/api/v1/users?query=user${n}&limit=20`),
  asUser('users: search for what all are called', () => '/api/v1/users?query=user&limit=20', '1,000 at most'),
  asUser('audit log: newest 100', () => '/api/v1/audit-log?limit=100'),
  asUser('audit log: of an action', () => '/api/v1/audit-log?action=app.changed&limit=100', 'counted up to 10,000'),
  asUser('audit log: of a subject', (_, n) => `/api/v1/audit-log?subject=${idOf(n)}`),
  write(
    'webhook: event written, taken, settled',
    ({ app, webhook }) => ({
      path: `${APPS}/${app}/webhooks/${webhook}/test`,
      body: {},
    }),
    'user',
  ),
  asUser(
    'webhook: newest 100 deliveries',
    ({ app, webhook }) => `${APPS}/${app}/webhooks/${webhook}/deliveries?limit=100`,
  ),
  asUser(
    'webhook: failed deliveries',
    ({ app, webhook }) => `${APPS}/${app}/webhooks/${webhook}/deliveries?status=FAILED&limit=100`,
  ),
  asUser(
    'webhook: deliveries of a subject',
    ({ app, webhook }, n) => `${APPS}/${app}/webhooks/${webhook}/deliveries?subject=${n}`,
  ),
  makeAndDelete(
    'file: upload and delete',
    (_, __, turn) => ({ path: '/api/upload', body: file(turn + performance.now()) }),
    ({ results }) => `/api/v1/user/files/${results[0].fileId ?? results[0].id}`,
  ),
  asUser("files: everybody's newest 100", () => '/api/v1/user/files?all=true&limit=100', 'counted up to 10,000'),
  asUser("files: everybody's by name", (_, n) => `/api/v1/user/files?all=true&search=file%20${n}.`),
  asUser('file: get', (_, n) => `/api/v1/user/files/${n + 1}`),
  write(
    'file: announced, to be sent to a signed address',
    (_, __, turn) => ({
      path: '/api/upload/presigned',
      body: { fileName: `note ${turn}.bin`, contentType: 'application/octet-stream', size: 10 },
    }),
    'user',
  ),
  asUser('scan: get', (_, n) => `/api/v1/user/scans/${idOf(n)}`),
  write(
    'scan: change',
    (_, n, turn) => ({ method: 'PATCH', path: `/api/v1/user/scans/${idOf(n)}`, body: { title: `Scan ${turn}` } }),
    'user',
  ),
  asUser('users: get', (_, n) => `/api/v1/users/${idOf(n)}`),
  {
    name: 'user: roles',
    kind: 'write',
    run: (send, { user, rows }, turn) =>
      send({
        method: 'PUT',
        path: `/api/v1/users/${idOf(some(rows, turn))}/roles`,
        headers: user,
        body: { roles: turn % 2 ? ['ops'] : [] },
      }),
  },
  asUser('webhooks', ({ app }) => `${APPS}/${app}/webhooks`),
  asUser('webhook: get', ({ app, webhook }) => `${APPS}/${app}/webhooks/${webhook}`),
  asUser('webhook: a delivery', ({ app, webhook }, n) => `${APPS}/${app}/webhooks/${webhook}/deliveries/${idOf(n)}`),
  asUser('box: health', () => '/api/v1/box/health'),
  asUser('box: newest 100 jobs', () => '/api/v1/box/jobs?limit=100'),
  asUser('box: limits', () => '/api/v1/box/limits'),
]
