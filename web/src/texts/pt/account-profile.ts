import { translation } from '../catalogue'
import type en from '../en/account-profile'

export default translation<typeof en>({
  who: 'Quem é',
  firstName: 'Nome próprio',
  lastName: 'Apelido',
  organization: 'Organização',
  city: 'Cidade',
  country: 'País',
  noCountry: 'Não indicado',
  website: 'Sítio web',
  picture: 'A sua imagem',
  pictureAbout: 'O servidor desenha a imagem; os outros veem-na ao lado do seu nome.',
  joined: 'Membro desde {date}',
  mail: 'E-mail',
  email: 'Endereço de e-mail',
  mailAbout: 'Só o próprio a vê. As mensagens sobre a sua conta e os convites vão para lá.',
  verified: 'Verificado',
  unverified: 'Não verificado',
  sendMail: 'Enviar a mensagem de verificação',
  mailSent: 'Uma mensagem vai a caminho de {email}',
  currentPassword: 'A sua palavra-passe',
  currentHint: 'Necessária para mudar o endereço.',
  sending: 'Envio de registos',
  requireAuth: 'Só quem inicia sessão pode enviar registos para os meus formulários',
  requireAuthHint:
    'Sem isto, quem souber o endereço de um formulário pode enviar-lhe registos, a não ser que o próprio formulário peça para iniciar sessão.',
})
