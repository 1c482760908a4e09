import {
  IconApps,
  IconCalendarEvent,
  IconClockPlay,
  IconCube,
  IconCurrentLocation,
  IconDeviceGamepad2,
  IconFence,
  IconFileImport,
  IconGavel,
  IconHeartbeat,
  IconHistory,
  IconLayoutDashboard,
  IconMap2,
  IconScan,
  IconTrophy,
  IconUserCircle,
  IconUserKey,
  IconUsers,
} from '@tabler/icons-react'
import { messages } from '../messages/index.ts'

const names = messages.shell.pages

/** Pages of an app. `to` contains a parameter for its ID. */
export const appPages = [
  { to: '/apps/$appId', name: names.overview, icon: IconLayoutDashboard, key: 'a' },
  { to: '/apps/$appId/players', name: names.players, icon: IconUsers, key: 'p' },
  { to: '/apps/$appId/mini-games', name: names.miniGames, icon: IconDeviceGamepad2 },
  { to: '/apps/$appId/sessions', name: names.sessions, icon: IconClockPlay },
  { to: '/apps/$appId/boards', name: names.boards, icon: IconTrophy, key: 'b' },
  { to: '/apps/$appId/seasons', name: names.seasons, icon: IconCalendarEvent },
  { to: '/apps/$appId/reviews', name: names.reviews, icon: IconGavel },
  { to: '/apps/$appId/fences', name: names.fences, icon: IconFence },
] as const

/** Pages of places and files, which all apps share. */
export const placePages = [
  { to: '/map', name: names.map, icon: IconMap2, key: 'm' },
  { to: '/locate', name: names.locate, icon: IconCurrentLocation },
  { to: '/import', name: names.import, icon: IconFileImport, key: 'i' },
  { to: '/scans', name: names.scans, icon: IconScan },
  { to: '/files', name: names.files, icon: IconCube, key: 'f' },
] as const

/** Administration pages. `isFor` is the role they require; `needsAccounts` is for a service with accounts of its own. */
export const boxPages = [
  { to: '/apps', name: names.apps, icon: IconApps, isFor: 'all' },
  { to: '/users', name: names.users, icon: IconUserCircle, isFor: 'ops' },
  { to: '/accounts', name: names.accounts, icon: IconUserKey, isFor: 'ops', needsAccounts: true },
  { to: '/audit', name: names.audit, icon: IconHistory, isFor: 'ops' },
  { to: '/health', name: names.health, icon: IconHeartbeat, isFor: 'ops' },
] as const
