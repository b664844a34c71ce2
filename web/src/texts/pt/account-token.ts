import { translation } from '../catalogue'
import type en from '../en/account-token'

export default translation<typeof en>({
  title: 'Token da API',
  about:
    'Com ele, um programa ou um script lê e escreve tudo o que lhe é permitido, sem a sua palavra-passe. Guarde-o como a sua palavra-passe.',
  password: 'A sua palavra-passe',
  passwordHint: 'Pedida de novo, porque quem tem o token já não precisa de iniciar sessão.',
  show: 'Mostrar o token',
  hide: 'Ocultar',
  permanent: 'Token permanente',
  temporary: 'Token temporário',
  try: 'Por exemplo, num terminal',
  docs: 'O que os programas podem fazer está descrito em {link}.',
  docsLink: 'na descrição da API',
  renew: 'Substituí-lo',
  renewTitle: 'Substituir o token?',
  renewAbout: 'O antigo termina de imediato: os programas e scripts que o usam param até receberem o novo.',
  renewed: 'O token foi substituído',
  cancel: 'Cancelar',
})
