import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { NotFound, PageError } from './components/feedback/failure.tsx'
import { page } from './lazy-page.ts'
import { parseAppsSearch, parseUsageSearch, parseWebhooksSearch } from './pages/apps/search-params.ts'
import { parseBoardSearch } from './pages/game/leaderboards/period.ts'
import { parsePlayersSearch } from './pages/game/players/search-params.ts'
import { parseImportSearch, parseZoneSearch } from './pages/imports/search-params.ts'
import { parseMapSearch } from './pages/map/url-state.ts'
import { parseGuideSearch } from './pages/welcome/steps.ts'
import { Callback } from './session/sign-in-callback.tsx'
import { Shell } from './shell/shell.tsx'

type FileFilters = {
  search?: string | undefined
  kind?: 'model' | 'image' | 'other' | undefined
  all?: true | undefined
}
type AuditFilters = { actor?: string; action?: string; subject?: string; since?: string; until?: string }

/** The named search parameters as strings. Empty values are dropped. */
function texts<Name extends string>(search: { [name in Name]?: unknown }, names: readonly Name[]) {
  const given = names.filter((name) => search[name] !== undefined && search[name] !== '')
  return Object.fromEntries(given.map((name) => [name, String(search[name])])) as { [name in Name]?: string }
}

/** All routes of the console. Pages are loaded on demand. */
const root = createRootRoute({ notFoundComponent: NotFound, errorComponent: PageError })

const callback = createRoute({ getParentRoute: () => root, path: '/callback', component: Callback })
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome/$step',
  validateSearch: parseGuideSearch,
  component: page(() => import('./pages/welcome/welcome.tsx'), 'Welcome', 'welcome', 'app', 'admin'),
})
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell, notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: page(() => import('./pages/home.tsx'), 'Home'),
})

const apps = createRoute({
  getParentRoute: () => shell,
  path: '/apps',
  validateSearch: parseAppsSearch,
  component: page(() => import('./pages/apps/apps.tsx'), 'Apps', 'app'),
})
const overview = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId',
  validateSearch: parseUsageSearch,
  component: page(() => import('./pages/apps/overview/overview.tsx'), 'Overview', 'app'),
})
const config = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/config',
  component: page(() => import('./pages/apps/config/config.tsx'), 'Config', 'app'),
})
const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/webhooks',
  validateSearch: parseWebhooksSearch,
  component: page(() => import('./pages/apps/webhooks/webhooks.tsx'), 'Webhooks', 'app'),
})
const usage = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/usage',
  validateSearch: parseUsageSearch,
  component: page(() => import('./pages/apps/usage/usage.tsx'), 'Usage', 'app'),
})
const members = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/members',
  component: page(() => import('./pages/apps/members/members.tsx'), 'Members', 'app', 'admin'),
})
const invitation = createRoute({
  getParentRoute: () => shell,
  path: '/invitation',
  component: page(() => import('./pages/apps/members/accept-invitation.tsx'), 'AcceptInvitation', 'app'),
})
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/settings',
  component: page(() => import('./pages/apps/settings.tsx'), 'Settings', 'app'),
})

const players = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/players',
  validateSearch: parsePlayersSearch,
  component: page(() => import('./pages/game/players/players.tsx'), 'Players', 'game'),
})
const player = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/players/$playerId',
  component: page(() => import('./pages/game/players/player.tsx'), 'PlayerPage', 'game', 'admin'),
})
const miniGames = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/mini-games',
  component: page(() => import('./pages/game/mini-games/mini-games.tsx'), 'MiniGames', 'game'),
})
const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/sessions',
  validateSearch: (search: { q?: string; status?: string }) => texts(search, ['q', 'status']),
  component: page(() => import('./pages/game/sessions/sessions.tsx'), 'Sessions', 'game'),
})
const session = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/sessions/$sessionId',
  component: page(() => import('./pages/game/sessions/session.tsx'), 'SessionPage', 'game'),
})
const boards = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/boards',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/apps/$appId/boards/$type', params: { ...params, type: 'default' } })
  },
})
const seasons = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/seasons',
  component: page(() => import('./pages/game/seasons/seasons.tsx'), 'Seasons', 'game'),
})
const reviews = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/reviews',
  validateSearch: (search: { state?: string }) => texts(search, ['state']),
  component: page(() => import('./pages/game/reviews/reviews.tsx'), 'Reviews', 'game'),
})
const fences = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/fences',
  component: page(() => import('./pages/game/fences/fences.tsx'), 'Fences', 'game', 'map'),
})
const board = createRoute({
  getParentRoute: () => shell,
  path: '/apps/$appId/boards/$type',
  validateSearch: parseBoardSearch,
  component: page(() => import('./pages/game/leaderboards/leaderboard.tsx'), 'LeaderboardPage', 'game'),
})

const map = createRoute({
  getParentRoute: () => shell,
  path: '/map',
  validateSearch: parseMapSearch,
  component: page(() => import('./pages/map/map.tsx'), 'MapPage', 'map'),
})
const locate = createRoute({
  getParentRoute: () => shell,
  path: '/locate',
  component: page(() => import('./pages/locate/locate.tsx'), 'Locate', 'locate', 'map'),
})
const imports = createRoute({
  getParentRoute: () => shell,
  path: '/import',
  validateSearch: parseZoneSearch,
  component: page(() => import('./pages/imports/imports.tsx'), 'Imports', 'imports'),
})
const importOne = createRoute({
  getParentRoute: () => shell,
  path: '/import/$uploadId',
  validateSearch: parseImportSearch,
  component: page(() => import('./pages/imports/import.tsx'), 'ImportPage', 'imports', 'map'),
})
const scans = createRoute({
  getParentRoute: () => shell,
  path: '/scans',
  validateSearch: ({ of, view }: { of?: unknown; view?: unknown }): { of?: 'public'; view?: 'map' } => ({
    ...(of === 'public' ? { of } : {}),
    ...(view === 'map' ? { view } : {}),
  }),
  component: page(() => import('./pages/scans/scans.tsx'), 'Scans', 'files', 'map', 'scans'),
})
const scan = createRoute({
  getParentRoute: () => shell,
  path: '/scans/$scanId',
  component: page(() => import('./pages/scans/scan.tsx'), 'ScanPage', 'files', 'scans'),
})
const files = createRoute({
  getParentRoute: () => shell,
  path: '/files',
  validateSearch: ({ all, ...search }: FileFilters): FileFilters => ({
    ...(texts(search, ['search', 'kind']) as FileFilters),
    ...(all ? { all: true } : {}),
  }),
  component: page(() => import('./pages/files/files.tsx'), 'Files', 'files'),
})
const file = createRoute({
  getParentRoute: () => shell,
  path: '/files/$fileId',
  component: page(() => import('./pages/files/file.tsx'), 'FilePage', 'files'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  validateSearch: ({ q }: { q?: string }) => (q ? { q } : {}) as { q?: string },
  component: page(() => import('./pages/admin/users.tsx'), 'Users', 'admin'),
})
const user = createRoute({
  getParentRoute: () => shell,
  path: '/users/$userId',
  component: page(() => import('./pages/admin/user.tsx'), 'UserPage', 'admin'),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: (search: AuditFilters) => texts(search, ['actor', 'action', 'subject', 'since', 'until']),
  component: page(() => import('./pages/admin/audit/audit.tsx'), 'Audit', 'admin'),
})
const health = createRoute({
  getParentRoute: () => shell,
  path: '/health',
  component: page(() => import('./pages/admin/health.tsx'), 'Health', 'admin'),
})

const accounts = createRoute({
  getParentRoute: () => shell,
  path: '/accounts',
  validateSearch: ({ q }: { q?: string }) => (q ? { q } : {}) as { q?: string },
  component: page(() => import('./pages/accounts/accounts.tsx'), 'Accounts', 'accounts', 'admin'),
})
const password = createRoute({
  getParentRoute: () => shell,
  path: '/password',
  component: page(() => import('./pages/accounts/password.tsx'), 'Password', 'accounts'),
})
const tokens = createRoute({
  getParentRoute: () => shell,
  path: '/tokens',
  component: page(() => import('./pages/tokens/tokens.tsx'), 'Tokens', 'tokens'),
})
const sharedMaps = createRoute({
  getParentRoute: () => shell,
  path: '/shared-maps',
  component: page(() => import('./pages/shared-maps/shared-maps.tsx'), 'SharedMaps', 'sharedMaps'),
})
const unknownPage = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: page(() => import('./pages/unknown-page.tsx'), 'UnknownPage'),
})

const tree = root.addChildren([
  callback,
  welcome,
  shell.addChildren([
    ...[home, apps, overview, config, webhooks, usage, members, invitation, settings],
    ...[players, player, miniGames, sessions, session, boards, board, seasons, reviews, fences],
    ...[map, locate, imports, importOne, scans, scan, files, file],
    ...[users, user, accounts, audit, health, password, tokens, sharedMaps, unknownPage],
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
