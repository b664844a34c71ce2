// Pages by their addresses. Each folder of pages has a `routes.ts`; nothing else has to name it.
import { nextTick, ref } from 'vue'
import { createRouter, createWebHistory, type RouteRecordRaw, type Router } from 'vue-router'
import { isSignedIn } from '@/api'
import { whenKnown } from '@/api/session'
import { addPaletteSource, type PaletteSource } from '@/parts/palette'
import { actionsSource } from './actions-source'
import { isChunkFault, sayMissing } from './chunks'
import { findingSources } from './palette-sources'

declare module 'vue-router' {
  interface RouteMeta {
    /** `anyone`: also without an account. Without it: signed-in people only. */
    access?: 'anyone'
    /** Without the top bar: a page of its own, such as a dashboard on a wall. */
    isBare?: boolean
  }
}

interface PageModule {
  readonly routes: readonly RouteRecordRaw[]
  readonly palette?: readonly PaletteSource[]
}

const modules = import.meta.glob<PageModule>('../pages/*/routes.ts', { eager: true })

/** A page is on its way: the bar shows it after a moment. */
export const isNavigating = ref(false)

const start: RouteRecordRaw = { path: '/', component: () => import('./start.vue'), meta: { access: 'anyone' } }
const missing: RouteRecordRaw = {
  path: '/:rest(.*)*',
  component: () => import('@/parts/not-found.vue'),
  meta: { access: 'anyone' },
}

const kit: RouteRecordRaw[] = __KIT__
  ? [{ path: '/kit', component: () => import('./kit/kit.vue'), meta: { access: 'anyone' } }]
  : []

/** The title takes the focus, so that screen readers say where one is, and the next Tab is in the page. */
const focusTitle = async () => {
  await nextTick()
  document.getElementById('page-title')?.focus({ preventScroll: true })
}

export const makeRouter = (): Router => {
  const pages = Object.values(modules)
  for (const source of [...pages.flatMap(({ palette = [] }) => palette), ...findingSources, actionsSource])
    addPaletteSource(source)
  const router = createRouter({
    history: createWebHistory(),
    routes: [start, ...pages.flatMap(({ routes }) => routes), ...kit, missing],
    scrollBehavior: (to, from, saved) =>
      saved ?? (to.hash ? { el: to.hash } : to.path === from.path ? false : { top: 0 }),
  })
  router.beforeEach(async (to) => {
    isNavigating.value = true
    await whenKnown()
    const isOpen = to.matched.some(({ meta }) => meta.access === 'anyone')
    if (!isOpen && !isSignedIn.value) return { path: '/signin', query: { next: to.fullPath } }
    return true
  })
  router.afterEach((to, from) => {
    isNavigating.value = false
    if (to.path !== from.path && from.matched.length > 0) void focusTitle()
  })
  router.onError((error, to) => {
    isNavigating.value = false
    if (!isChunkFault(error)) return
    void sayMissing(error, to.fullPath, () => router.push(to.fullPath))
  })
  return router
}
