import '@fontsource-variable/ibm-plex-sans/wght.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@fontsource/ibm-plex-mono/latin-500.css'
import './theme/mantine-parts.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/mantine.css'
import './theme/forced-colours.css'
import { loadTexts } from './language/translate.ts'

await loadTexts('common', 'shell')
const { start } = await import('./start.tsx')
start()
