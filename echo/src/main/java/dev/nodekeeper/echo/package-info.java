/**
 * A small operator to learn from and to copy. Read {@link dev.nodekeeper.echo.Echo} (what people
 * write), {@link dev.nodekeeper.echo.EchoReconciler} (what happens then), {@link
 * dev.nodekeeper.echo.Children} (what comes out), {@link dev.nodekeeper.echo.StatusOf} (what people
 * are told), {@link dev.nodekeeper.echo.Main} (how it is put together).
 */
@NullMarked
package dev.nodekeeper.echo;

import org.jspecify.annotations.NullMarked;
