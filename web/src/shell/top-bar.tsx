import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconBook,
  IconCheck,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconLock,
  IconLogout,
  IconMapShare,
  IconMoon,
  IconSearch,
  IconSun,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { currentLanguage, LANGUAGES, type Language } from '../language/language.ts'
import { chooseLanguage } from '../language/translate.ts'
import { messages } from '../messages/index.ts'
import { useSignedIn } from '../session/session.tsx'
import { useBreadcrumbs } from './breadcrumbs.ts'
import { openShortcuts } from './keyboard/keyboard-shortcuts.tsx'
import { openPalette } from './palette/lazy-palette.tsx'
import classes from './shell.module.css'
import { useHasAccounts } from './use-box-pages.ts'

/** Breadcrumbs, search, colour scheme and account menu. */
export function TopBar() {
  return (
    <header className={classes.bar}>
      <Breadcrumbs />
      <button type="button" className={classes.jump} onClick={openPalette}>
        <IconSearch size={16} aria-hidden />
        <span>{messages.shell.jump}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <SchemeSwitch />
      <Account />
    </header>
  )
}

function Breadcrumbs() {
  const breadcrumbs = useBreadcrumbs()
  return (
    <nav className={classes.breadcrumbs} aria-label={messages.shell.breadcrumb}>
      {breadcrumbs.map(({ name, to }, i) => (
        <Fragment key={name}>
          {i > 0 && (
            <span aria-hidden className="wide-only">
              /
            </span>
          )}
          {i < breadcrumbs.length - 1 ? (
            to ? (
              <Link to={to} className="wide-only" activeOptions={{ exact: true }}>
                {name}
              </Link>
            ) : (
              <span className="wide-only">{name}</span>
            )
          ) : (
            <span aria-current="page" className="truncate">
              {name}
            </span>
          )}
        </Fragment>
      ))}
    </nav>
  )
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const Icon = isDark ? IconSun : IconMoon
  return (
    <ActionIcon
      size={32}
      aria-label={isDark ? messages.shell.theme.toLight : messages.shell.theme.toDark}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon size={16} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}

function Account() {
  const { cairn, signOut } = useSignedIn()
  const { data: user } = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => cairn.user.get({ signal }) })
  const name = user?.username ?? user?.email ?? ''
  const hasAccounts = useHasAccounts()
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon size={32} aria-label={messages.shell.account(name)}>
          <span className={classes.face} data-letters={name.slice(0, 2).toUpperCase()} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        <Menu.Item component="a" href="/docs/" leftSection={<IconBook size={16} aria-hidden />}>
          {messages.shell.apiDocs}
        </Menu.Item>
        {hasAccounts && (
          <Menu.Item component={Link} to="/password" leftSection={<IconLock size={16} aria-hidden />}>
            {messages.shell.pages.password}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/tokens" leftSection={<IconKey size={16} aria-hidden />}>
          {messages.shell.pages.tokens}
        </Menu.Item>
        <Menu.Item component={Link} to="/shared-maps" leftSection={<IconMapShare size={16} aria-hidden />}>
          {messages.shell.pages.sharedMaps}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openShortcuts}>
          {messages.shell.keys}
        </Menu.Item>
        <Menu.Divider />
        {(Object.keys(LANGUAGES) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            aria-current={language === currentLanguage()}
            leftSection={<IconLanguage size={16} aria-hidden />}
            rightSection={language === currentLanguage() && <IconCheck size={16} aria-hidden />}
            onClick={() => chooseLanguage(language)}
          >
            {LANGUAGES[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {messages.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
