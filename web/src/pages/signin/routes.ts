import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/signin', component: () => import('./signin.vue'), meta: { access: 'anyone' } },
]
