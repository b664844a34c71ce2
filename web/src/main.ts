import { createApp } from 'vue'
import { installCache } from '@/api/cache'
import { startConnection } from '@/api/connection'
import { startSession } from '@/api/session'
import { startNow } from '@/base/now'
import { startShortcuts } from '@/base/shortcuts'
import { startLook } from '@/look/look'
import { startLanguage } from '@/texts'
import '@/look/index.css'
import App from './shell/app.vue'
import { makeRouter } from './shell/router'

startLook()
startNow()
startConnection()
startShortcuts()

const app = createApp(App)
installCache(app)
// Both are needed for the first page, and neither waits for the other.
await Promise.all([startLanguage(), startSession()])
app.use(makeRouter())
app.mount('#app')
