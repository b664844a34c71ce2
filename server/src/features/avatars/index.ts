export { avatarRoutes } from './avatars.routes.js'
