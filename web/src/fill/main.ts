// The page where forms are filled in. It is shown before the server has said who is signed in: the line may be lost.
import './nonce'
import { createApp } from 'vue'
import { installCache } from '@/api/cache'
import { startConnection } from '@/api/connection'
import { startSession } from '@/api/session'
import { startNow } from '@/base/now'
import { startLook } from '@/look/look'
import { startLanguage } from '@/texts'
import '@/look/index.css'
import App from './app.vue'

startLook()
startNow()
startConnection()
void startSession()
await startLanguage()

const app = createApp(App)
installCache(app)
app.mount('#app')
