/** A browser without a window: it keeps cookies, and shows each answer before it follows a redirect. */
export class BrowserJar {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  /** Requests a URL. Redirects are not followed. */
  async go(url: string | URL, form?: Record<string, string>): Promise<Response> {
    const { pathname } = new URL(url);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) this.keep(line, String(url));
    return response;
  }

  /** Requests a URL, and follows redirects until a page, or a URL that the condition holds for. */
  async follow(
    url: string | URL,
    isEnd: (url: URL) => boolean = () => false,
    form?: Record<string, string>,
  ) {
    let next = new URL(url);
    let response = await this.go(next, form);
    for (let i = 0; i < 20; i++) {
      const location = response.headers.get('location');
      if (location === null) return { url: next, response };
      next = new URL(location, next);
      if (isEnd(next)) return { url: next, response };
      response = await this.go(next);
    }
    throw new Error(`Too many redirects: ${next.href}`);
  }

  private keep(line: string, url: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/';
    const key = `${name} ${new URL(url).port}`;
    if (value === '') this.cookies.delete(key);
    else this.cookies.set(key, { value, path });
  }
}
