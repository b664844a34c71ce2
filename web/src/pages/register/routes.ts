import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/register', component: () => import('./register.vue'), meta: { access: 'anyone' } },
]
