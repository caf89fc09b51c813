#!/bin/sh
# Builds target/nodekeeper_VERSION_ARCH.deb: the program, a Java runtime of its own, a systemd unit.
# No JDK is needed where it is installed. The same sources and the same JDK give the same bytes.
set -eu
cd "$(dirname "$0")/.."
hack/dist.sh
# A hyphen would be a Debian revision; a snapshot is older than its release.
version=$(sed -n '0,/<version>/s:.*<version>\(.*\)</version>.*:\1:p' pom.xml | sed 's/-/~/')
arch=$(dpkg --print-architecture)
epoch=$(date -u -d "$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.*:\1:p' pom.xml)" +%s)
root=target/deb
rm -rf $root
mkdir -p $root/DEBIAN $root/usr/bin $root/usr/lib/systemd/system $root/usr/share/doc/nodekeeper $root/etc/nodekeeper
cp -R target/dist/usr $root/
cp deploy/systemd/nodekeeper.service $root/usr/lib/systemd/system/
cp deploy/systemd/nodekeeper.env $root/etc/nodekeeper/
cp deploy/systemd/nodekeeper.sh $root/usr/bin/nodekeeper
ln -s nodekeeper $root/usr/bin/kubectl-nodekeeper
cp README.md $root/usr/share/doc/nodekeeper/
mv $root/usr/lib/nodekeeper/LICENSE $root/usr/share/doc/nodekeeper/copyright
size=$(find $root/usr $root/etc -type f -printf '%s\n' | awk '{ s += $1 } END { print int(s / 1024) }')
cat >$root/DEBIAN/control <<END
Package: nodekeeper
Version: $version
Architecture: $arch
Maintainer: Nodekeeper <nodekeeper@nodekeeper.dev>
Installed-Size: $size
Depends: libc6 (>= 2.17)
Section: admin
Priority: optional
Description: gives Kubernetes nodes back what people put on them
 Remembers labels, taints, annotations and cordon of nodes, and restores
 them when a node was deleted and registers again.
END
echo /etc/nodekeeper/nodekeeper.env >$root/DEBIAN/conffiles
cp deploy/systemd/postinst deploy/systemd/prerm deploy/systemd/postrm $root/DEBIAN/
chmod -R u=rwX,go=rX $root
chmod 755 $root/usr/bin/nodekeeper $root/DEBIAN/postinst $root/DEBIAN/prerm $root/DEBIAN/postrm
find $root -exec touch -h -d "@$epoch" {} +
# Most of it is compressed already; and gzip gives the same bytes whatever the number of cores.
SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zgzip --build $root "target/nodekeeper_${version}_$arch.deb"
